"""What is on disk: rule files, settings, and the session log."""
