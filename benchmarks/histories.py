"""Histories of agents for the benchmarks: captures and logs, each repeated under different session ids."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.bridge.adapters.detection import detect_source
from ttsr_ls.session.output.agent_events import SessionSeen

SAMPLES = Path(__file__).parents[1] / "tests" / "samples"
"""The captures that are used where nothing else is named."""

_KEPT = frozenset({"claude-transcript", "codex-rollout", "gemini-chat"})
_PI = frozenset({"pi", "omp"})
_SUFFIXES = (".jsonl", ".sse")
_MEGABYTE = 1_000_000
_NUMBER = 7


class History(Struct, frozen=True):
    """The files of one kind of history, and their size in bytes. `is_kept`: agents themselves keep such files."""

    source: str
    is_kept: bool
    files: tuple[Path, ...]
    size: int


def histories(paths: Iterable[Path], folder: Path, megabytes: float, file_size: int) -> list[History]:
    """Histories of each kind that `paths` have, each of that size in all, in files of `file_size` KB."""
    by_source: dict[tuple[str, bool], list[bytes]] = {}
    for path in sorted(each for root in paths for each in ([root] if root.is_file() else root.rglob("*"))):
        if path.suffix in _SUFFIXES:
            data = path.read_bytes()
            name, _ = detect_source([data])
            if name is not None:
                captured = by_source.setdefault((name, _is_kept(name, data)), [])
                captured.append(data if data.endswith(b"\n") else data + b"\n")
    return [
        _repeated(name, is_kept, captured, folder / f"{name}-{is_kept}", megabytes, file_size)
        for (name, is_kept), captured in sorted(by_source.items())
    ]


def _is_kept(name: str, data: bytes) -> bool:
    """Returns whether an agent keeps such a file. The sessions of pi and oh-my-pi have entries with parents."""
    return name in _KEPT or (name in _PI and b'"parentId":' in data)


def _repeated(
    name: str, is_kept: bool, captured: list[bytes], folder: Path, megabytes: float, file_size: int
) -> History:
    """Files of one kind: each has one capture many times, each time as another session."""
    folder.mkdir()
    files: list[Path] = []
    size = number = 0
    while size < megabytes * _MEGABYTE:
        data = captured[len(files) % len(captured)]
        session = _session_of(name, data)
        parts: list[bytes] = []
        while sum(map(len, parts)) < file_size * 1000:
            number += 1
            renamed = b"%s%07d" % (session[:-_NUMBER], number)
            parts.append(data.replace(session, renamed) if len(session) > _NUMBER else data)
        path = folder / f"{len(files):04}.jsonl"
        path.write_bytes(b"".join(parts))
        files.append(path)
        size += path.stat().st_size
    return History(name, is_kept, tuple(files), size)


def _session_of(name: str, data: bytes) -> bytes:
    adapter = SOURCES[name].make(None)
    seen = [event.session for event in adapter.feed(data) if isinstance(event, SessionSeen)]
    return next(filter(None, seen), "").encode()
