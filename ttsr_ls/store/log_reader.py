"""Reading a session log: bytes to records, with everything odd reported and everything valid kept.

One `LogDecoder` serves a whole file read at once and a file that is followed as it grows, so the two cannot differ.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from msgspec import Struct

from ttsr_ls.store.bounded_file import open_regular
from ttsr_ls.store.codec import CodecError, Record, UnknownRecordError, decode_line, decode_record, encode_line

FORMAT = 1
"""The version of the file itself: a header line, then one record a line."""

MAX_LINE = 64 * 1024 * 1024
"""A longer line is skipped: no agent's answer is that long, and reading must not need more memory than this."""


class LogProblemKind(StrEnum):
    """What can be wrong with a log."""

    NO_HEADER = "no-header"
    UNKNOWN_FORMAT = "unknown-format"
    UNKNOWN_RECORD = "unknown-record"
    BROKEN_LINE = "broken-line"
    GAP = "gap"
    TORN_END = "torn-end"


class LogProblem(Struct, frozen=True):
    """Something wrong at `line` (from 1); `message` is a full sentence."""

    kind: LogProblemKind
    line: int
    message: str


class Header(Struct, frozen=True):
    """The first line: whose session this is. `started` is milliseconds since the Unix epoch."""

    session: str
    agent: str
    workspace: str
    started: int
    writer: str


class LogContent(Struct, frozen=True):
    """A log as far as it can be read. `header` is None where its line is missing or broken."""

    header: Header | None
    records: tuple[Record, ...]
    problems: tuple[LogProblem, ...]


def encode_header(header: Header) -> bytes:
    """The first line of a log."""
    return encode_line(
        {
            "ttsr-log": FORMAT,
            "session": header.session,
            "agent": header.agent,
            "workspace": header.workspace,
            "started": header.started,
            "writer": header.writer,
        }
    )


class LogDecoder:
    """Turns the bytes of one log, in whatever pieces they come, into records and problems."""

    __slots__ = ("_last", "_line", "_skipping", "_tail", "_tail_size", "header")

    def __init__(self) -> None:
        self.header: Header | None = None
        self._line = 0
        self._last: int | None = 0
        """None: it is not known."""
        self._tail: list[bytes] = []
        self._tail_size = 0
        self._skipping = False

    @classmethod
    def joining(cls, first_line: bytes) -> Self:
        """A decoder for what comes later in a log that begins with `first_line`: it takes any sequence number first."""
        decoder = cls()
        decoder._line = 1
        decoder._read_header(first_line, [])
        decoder._last = None
        return decoder

    def feed(self, data: bytes) -> tuple[list[Record], list[LogProblem]]:
        """The records that `data` completes. A line without its end is held back until the rest comes."""
        records: list[Record] = []
        problems: list[LogProblem] = []
        first, *rest = data.split(b"\n")
        self._hold(first)
        for piece in rest:
            self._complete(records, problems)
            self._hold(piece)
        return records, problems

    def finish(self) -> list[LogProblem]:
        """What is wrong if nothing more comes: a last line that was never finished is dropped."""
        if not self._tail_size and not self._skipping:
            return []
        return [
            LogProblem(
                LogProblemKind.TORN_END,
                self._line + 1,
                f"Line {self._line + 1} was not written to its end and is ignored; the writer was cut off.",
            )
        ]

    @property
    def last_sequence(self) -> int:
        """The number of the last record; 0 before the first."""
        return self._last or 0

    def _hold(self, piece: bytes) -> None:
        if not piece or self._skipping:
            return
        self._tail_size += len(piece)
        if self._tail_size > MAX_LINE:
            self._tail, self._tail_size, self._skipping = [], 0, True
        else:
            self._tail.append(piece)

    def _complete(self, records: list[Record], problems: list[LogProblem]) -> None:
        line = b"".join(self._tail)
        skipped = self._skipping
        self._tail, self._tail_size, self._skipping = [], 0, False
        self._line += 1
        if skipped:
            problems.append(self._problem(LogProblemKind.BROKEN_LINE, f"is longer than {MAX_LINE} bytes"))
        elif self._line == 1 and self._read_header(line, problems):
            return
        elif line.strip():
            self._read_record(line, records, problems)

    def _read_header(self, line: bytes, problems: list[LogProblem]) -> bool:
        try:
            value = decode_line(line)
        except CodecError as error:
            problems.append(self._problem(LogProblemKind.NO_HEADER, f"should be the log's header but {error}"))
            return True
        if not isinstance(value, dict) or "ttsr-log" not in value:
            problems.append(self._problem(LogProblemKind.NO_HEADER, "should be the log's header but is not"))
            return False
        if value["ttsr-log"] != FORMAT:
            found = str(value["ttsr-log"])[:20]
            problems.append(self._problem(LogProblemKind.UNKNOWN_FORMAT, f"says format {found}, not {FORMAT}"))
        self.header = _header(value)
        return True

    def _read_record(self, line: bytes, records: list[Record], problems: list[LogProblem]) -> None:
        try:
            record = decode_record(line)
        except UnknownRecordError as error:
            problems.append(self._problem(LogProblemKind.UNKNOWN_RECORD, str(error)))
            if error.sequence is not None:
                self._check_sequence(error.sequence, problems)
            return
        except CodecError as error:
            problems.append(self._problem(LogProblemKind.BROKEN_LINE, str(error)))
            return
        self._check_sequence(record.sequence, problems)
        records.append(record)

    def _check_sequence(self, sequence: int, problems: list[LogProblem]) -> None:
        if self._last is not None and sequence != self._last + 1:
            text = f"is record {sequence} where {self._last + 1} was due"
            problems.append(self._problem(LogProblemKind.GAP, text))
        self._last = sequence

    def _problem(self, kind: LogProblemKind, what: str) -> LogProblem:
        return LogProblem(kind, self._line, f"Line {self._line} {what}.")


def read_log(path: Path) -> LogContent:
    """Reads a whole log. Raises OSError where the file cannot be read; nothing in it raises."""
    decoder = LogDecoder()
    records: list[Record] = []
    problems: list[LogProblem] = []
    with open(open_regular(path), "rb") as file:  # noqa: PTH123 - of a descriptor, for which Path has nothing
        while data := file.read(1 << 20):
            more_records, more_problems = decoder.feed(data)
            records += more_records
            problems += more_problems
    return LogContent(decoder.header, tuple(records), (*problems, *decoder.finish()))


def _header(value: dict[str, Any]) -> Header:
    def text(name: str) -> str:
        found = value.get(name)
        return found if isinstance(found, str) else ""

    started = value.get("started")
    known = started if isinstance(started, int) and not isinstance(started, bool) else 0
    return Header(text("session"), text("agent"), text("workspace"), known, text("writer"))
