"""Findings that a comment, a configuration or a baseline silences."""
