"""Adapters for Claude Code: its printed stream and its transcripts."""
