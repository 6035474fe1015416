"""Checks of the streams, paths and agents that a rule is limited to."""
