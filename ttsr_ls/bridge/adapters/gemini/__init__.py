"""Adapters of Gemini CLI: its event stream, and the chats that it keeps."""
