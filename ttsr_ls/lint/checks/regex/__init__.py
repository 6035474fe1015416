"""Checks of conditions as regular expressions."""
