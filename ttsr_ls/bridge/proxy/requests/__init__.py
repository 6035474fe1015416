"""Requests of clients: the conversation in them, and edits that leave every other byte as it was."""
