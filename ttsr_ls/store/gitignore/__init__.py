"""Finds the files that git ignores, as the reference agent's folder listing sees it (spec D)."""
