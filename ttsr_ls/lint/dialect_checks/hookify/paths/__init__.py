"""Paths in hookify rules: conditions on paths that cannot hold, and patterns that are meant for a path."""
