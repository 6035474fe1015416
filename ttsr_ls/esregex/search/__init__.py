"""Searches in bounded steps, which may be interrupted: where a match is, and whether a growing text has one."""
