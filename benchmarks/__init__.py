"""Measures what a delta costs; `make bench`."""
