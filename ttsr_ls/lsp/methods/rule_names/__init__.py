"""Requests about the names of rules."""
