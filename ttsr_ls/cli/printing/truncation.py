"""Truncates texts for reports."""

from __future__ import annotations


def truncate(text: str, limit: int) -> str:
    """Returns `text`, with an ellipsis in place of what exceeds `limit` characters."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
