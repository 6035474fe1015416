"""Paths in hookify rules: what keeps conditions on paths from holding, and patterns that are meant for a path."""
