"""The message that a stream is no longer matched."""

from __future__ import annotations

from ttsr_ls.matching.streams.search_limits import LIVE

WHY_STREAM_DISABLED = (
    f"is longer than {LIVE.stream_length // 1024 // 1024} million characters, or too much to parse; the rest of it is "
    "not matched."
)
