"""Adapters for Codex: `exec --json`, the app server, and rollouts."""
