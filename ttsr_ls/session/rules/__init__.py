"""The rules of all dialects that a session has, and their monitors side by side."""
