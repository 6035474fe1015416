"""Adapter of opencode: its events, and what `run --format json` prints."""
