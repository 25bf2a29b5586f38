"""Outcomes put into words, in a reader's language, as structure."""
