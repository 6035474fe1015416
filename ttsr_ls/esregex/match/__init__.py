"""Searches a text for one regular expression: literals, the `regex` package, a matcher with a step budget."""
