"""Finds session logs of sessions that are also replayed from another file, so that each session counts once.

An agent keeps its sessions, and our programs that served them (hooks, `watch`, the proxy) wrote logs of the same ones.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from ttsr_ls.cli.replay.replaying import ReplayedFile


def duplicate_logs(results: list[ReplayedFile]) -> frozenset[Path]:
    """Returns the session logs to leave out.

    These are logs whose sessions an agent kept, and of several logs of one session that were written at the same time
    all but the largest one. Logs of a session that was continued later count.
    """
    kept = {name for each in results if each.session and not each.is_log for name in each.session.names}
    file_names = {f"{prefix}{name}" for name in kept for prefix in ("", "proxy-")}
    found: set[Path] = set()
    largest: dict[str, list[tuple[float, float]]] = {}
    logs = [each for each in results if each.session and each.is_log]
    for log in sorted(logs, key=lambda each: -each.session.size if each.session else 0):
        names = set(log.session.names) - {log.path.stem} if log.session else set()
        # Logs of earlier versions have the agent's name of the session only in their file names.
        if (names and names <= kept) or log.path.stem.partition("-")[2] in file_names:
            found.add(log.path)
            continue
        span = _span(log.path)
        others = [other for name in names for other in largest.get(name, [])]
        if any(span[0] < end and start < span[1] for start, end in others):
            found.add(log.path)
            continue
        for name in names:
            largest.setdefault(name, []).append(span)
    return frozenset(found)


def _span(log: Path) -> tuple[float, float]:
    """Returns when a log was begun and last written, in seconds since the Unix epoch; twice 0 if that is unknown."""
    try:
        started = datetime.strptime(log.name.partition("-")[0], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).timestamp()
        return started, log.lstat().st_mtime
    except (OSError, ValueError):
        return 0.0, 0.0
