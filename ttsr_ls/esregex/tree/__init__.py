"""The tree of a regular expression, what can be computed from it, and sets of UTF-16 code units."""
