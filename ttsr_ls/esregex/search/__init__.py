"""Interruptible searches in counted steps: where a match is, and whether a growing text has one."""
