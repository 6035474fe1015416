"""Triggers of running agents, in their place in rules and files."""
