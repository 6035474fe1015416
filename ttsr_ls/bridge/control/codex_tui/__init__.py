"""A relay between Codex's terminal interface and its app server."""
