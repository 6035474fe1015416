"""Checks of AST conditions."""
