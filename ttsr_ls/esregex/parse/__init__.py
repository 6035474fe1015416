"""Parses the source of a regular expression to a tree, with errors at their position."""
