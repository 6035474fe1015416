"""Turns, their steps and events, and the fold that makes history of events (spec H)."""
