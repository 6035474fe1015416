"""Repeat policies: whether a rule that fired may fire again (spec I5)."""
