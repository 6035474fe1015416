"""The rules of sessions: read from files, folders and projects, and read again when one of these changes."""
