"""Finds the files of each provider: one module a family (spec D)."""
