"""Requests for semantic tokens."""
