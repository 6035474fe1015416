"""The tokens of `scope` and the tools that they name (spec S)."""
