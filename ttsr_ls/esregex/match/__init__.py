"""Searches a text for one regular expression: literals, the `regex` package, and a matcher with a step budget."""
