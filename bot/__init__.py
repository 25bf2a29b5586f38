"""The quiz engine; it knows no platform."""
