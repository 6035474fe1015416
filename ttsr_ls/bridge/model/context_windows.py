"""The sizes of the context windows of well-known models, in tokens: the smallest for each model name. Pure."""

from __future__ import annotations

_WINDOWS = {"claude-": 200_000, "gemini-": 1_000_000}


def context_window_of(model: str) -> int | None:
    """The tokens of a model's context window; None for an unknown model."""
    name = model.rsplit("/", 1)[-1].lower()  # Some servers prefix the vendor.
    return next((tokens for start, tokens in _WINDOWS.items() if name.startswith(start)), None)
