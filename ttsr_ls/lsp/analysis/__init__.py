"""Checks of open documents in the background, in order of urgency."""
