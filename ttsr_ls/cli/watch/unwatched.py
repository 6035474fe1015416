"""What people are told where a stream is not looked at any further."""

from __future__ import annotations

from ttsr_ls.matching.monitor.monitor import MAXIMUM_STREAM

WHY_UNWATCHED = (
    f"is longer than {MAXIMUM_STREAM // 1024 // 1024} million characters, or too much to parse; the rest of it is not "
    "looked at."
)
