"""Finds parts of a regular expression that can never match, or that have no effect."""
