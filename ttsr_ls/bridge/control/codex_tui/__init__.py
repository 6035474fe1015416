"""Between Codex's terminal interface and its app server."""
