"""The tree of a regular expression, computations on it, and sets of UTF-16 code units."""
