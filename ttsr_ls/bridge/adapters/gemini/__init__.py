"""Adapters for Gemini CLI: its event stream and its saved chats."""
