"""Adapter for opencode: its events, and the output of `run --format json`."""
