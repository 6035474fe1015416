"""Finds rule files and what surrounds them: configuration, settings, and rules with the same name (spec D)."""
