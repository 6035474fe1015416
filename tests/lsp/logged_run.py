"""A run of an agent in a session log, for servers to follow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import (
    Excerpt,
    Extent,
    RulesLoaded,
    RuleTriggered,
    Target,
    TurnEvent,
    TurnStarted,
    UnseenTrigger,
)
from ttsr_ls.store.files.file_lock import try_lock
from ttsr_ls.store.log.codec import Record, encode_record
from ttsr_ls.store.log.header import Header, encode_header
from ttsr_ls.store.log.session_dirs import session_file, workspace_folder
from ttsr_ls.text import Position

RULE = "---\ncondition:\n  - never\n  - 'as any;'\n---\nno\n"
WARNED = RULE.replace("condition:", "conditon: x\ncondition:")
TARGET = "const a = 1\nconst b = a as any;\n"


class Run:
    """A session log that a bridge writes, one event at a time."""

    def __init__(self, folder: Path, started: int) -> None:
        logs = workspace_folder(folder.parent / "state", folder)
        logs.mkdir(parents=True, exist_ok=True)
        self.file = session_file(logs, started, "s1")
        self._sequence = 0
        self._append(encode_header(Header("s1", "claude", str(folder), started, "test")))
        self.log(RulesLoaded((), "stable"))
        self.log(TurnStarted("t1", UnseenTrigger()))

    def log(self, event: TurnEvent) -> None:
        self._sequence += 1
        self._append(encode_record(Record(self._sequence, 0, event)))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Holds the log as its writer does while it is at work."""
        with self.file.open("ab") as log:
            assert try_lock(log.fileno())
            yield

    def _append(self, line: bytes) -> None:
        with self.file.open("ab") as log:
            log.write(line)


def trigger(rule: Path, target: Path | None, *, interrupts: bool = False) -> RuleTriggered:
    where = (
        Target(str(target), Extent.WHOLE, Position(1, 12), Position(1, 19), "const b = a as any;") if target else None
    )
    return RuleTriggered(
        turn="t1",
        step=0,
        agent="main",
        rule=rule.stem,
        rule_path=str(rule),
        condition="as any;",
        condition_index=1,
        source=Source.TOOL if target else Source.TEXT,
        tool="write" if target else None,
        call="c1" if target else None,
        target=where,
        start=12,
        end=19,
        offset=19,
        excerpt=Excerpt("a as any;", 2, 9),
        interrupts=interrupts,
    )
