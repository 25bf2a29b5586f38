"""Platforms, each: event in, call, message out."""
