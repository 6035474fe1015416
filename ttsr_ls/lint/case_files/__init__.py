"""Checks of rule test files."""
