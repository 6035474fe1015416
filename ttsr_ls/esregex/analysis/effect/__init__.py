"""Finds parts of a regular expression that can never match or never matter."""
