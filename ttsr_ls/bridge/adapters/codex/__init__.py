"""Codex: `exec --json`, the app server, and the rollouts that it keeps."""
