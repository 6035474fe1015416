"""The rules of sessions: loaded from files, folders and projects, and reloaded when these change."""
