"""Explains keys, conditions and scopes: hover and `explain`."""
