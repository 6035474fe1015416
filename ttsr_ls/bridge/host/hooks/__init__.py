"""Asks features at each hook, with their timeout, and disables those that fail."""
