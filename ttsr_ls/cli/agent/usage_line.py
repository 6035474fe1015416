"""Formats token usage as one line."""

from __future__ import annotations

from ttsr_ls.session.history.usage import NO_USAGE, Usage


def usage_line(usage: Usage) -> str | None:
    """The tokens that a turn used, as a sentence; None where no provider reported any."""
    if usage == NO_USAGE:
        return None
    cached = [
        f"{tokens:,} {label} the cache"
        for tokens, label in ((usage.cache_read_tokens, "read from"), (usage.cache_write_tokens, "written to"))
        if tokens
    ]
    details = f" ({', '.join(cached)})" if cached else ""
    return f"The turn used {usage.prompt_tokens:,} input tokens{details} and {usage.output_tokens:,} output tokens."
