"""Finds rule files and their environment: configuration, settings, and rules with the same name (spec D)."""
