"""The rules of all dialects in a session, and their monitors side by side."""
