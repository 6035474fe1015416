"""Agents' own streams, read: each adapter turns one agent's wire into agent events (spec W1 to W4)."""
