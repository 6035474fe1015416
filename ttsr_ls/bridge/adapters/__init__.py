"""Adapters: each converts the output of one agent to agent events (spec W1 to W4)."""
