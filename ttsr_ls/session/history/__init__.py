"""Turns, their steps and events, and the fold that builds the history from events (spec H)."""
