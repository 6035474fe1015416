"""Reads a session log: decodes bytes to records, reports all problems, and keeps all valid records.

One `LogDecoder` serves both a whole file and a followed file, so the two cannot differ. A record is valid only with its
line feed. A line that was torn by a crash is incomplete, and the next writer ends it with `CANCEL`, which no JSON value
contains.
"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Self

from msgspec import Struct

from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.log.codec import CodecError, Record, UnknownRecordError, decode_line, decode_record
from ttsr_ls.store.log.header import FORMAT, HEADER_START, Header, decode_header, is_start_of_log
from ttsr_ls.store.log.record_order import RecordOrder, RecordPosition
from ttsr_ls.store.log.recorded_lines import RecordedLines

CANCEL = b"\x18"
"""The control character CAN: a writer appends it and a line feed to a torn line. The encoder escapes control
characters, and every JSON parser rejects unescaped ones, so the line is invalid for any reader."""

MAX_LINE = 64 * 1024 * 1024
"""A longer line is skipped: no agent's answer is that long, and reading must not need more memory than this."""


MAX_BROKEN = 1_000
"""The most broken lines of a log, and the most records out of order, that are reported."""

_UNKNOWN_LINE = -(1 << 60)
"""The line of a decoder that does not know how many lines precede its part of a log. It stays negative."""

_VERSION_KEY = b'"v":'
"""Every record contains this text."""


class LogProblemKind(StrEnum):
    """The kinds of damage to a log."""

    NO_HEADER = "no-header"
    UNKNOWN_FORMAT = "unknown-format"
    UNKNOWN_RECORD = "unknown-record"
    BROKEN_LINE = "broken-line"
    GAP = "gap"
    DUPLICATE = "duplicate"
    DISORDER = "disorder"
    TORN_END = "torn-end"


class LogProblem(Struct, frozen=True):
    """A problem at `line` (from 1; 0 if unknown). `message` is a full sentence."""

    kind: LogProblemKind
    line: int
    message: str


class LogContent(Struct, frozen=True):
    """The readable content of a log. `header` is None if its line is missing or broken."""

    header: Header | None
    records: tuple[Record, ...]
    problems: tuple[LogProblem, ...]


class LogDecoder:
    """Decodes the bytes of one log, in chunks of any size, to records and problems."""

    __slots__ = (
        "_broken",
        "_line",
        "_order",
        "_recorded",
        "_records",
        "_skipping",
        "_starts_as_log",
        "_tail",
        "_tail_size",
        "_torn",
        "header",
    )

    def __init__(self) -> None:
        self.header: Header | None = None
        self._starts_as_log = False
        self._records = 0
        self._broken = 0
        self._torn = 0
        self._order = RecordOrder()
        self._recorded = RecordedLines()
        self._line = 0
        self._tail: list[bytes] = []
        self._tail_size = 0
        self._skipping = False

    @classmethod
    def joining(cls, head: bytes) -> Self:
        """Returns a decoder for a later part of a log that begins with `head`. Its first record may have any number."""
        decoder = cls()
        for line in head.split(b"\n"):
            decoder._line += 1
            if decoder._line == 1 or line.startswith(HEADER_START):
                decoder._read_header(line, [])
            if decoder.header is not None:
                break
        decoder._order.last = None
        decoder._line = _UNKNOWN_LINE
        return decoder

    def feed(self, data: bytes) -> tuple[list[Record], list[LogProblem]]:
        """Returns the records that `data` completes, and the problems. A line without its end is held back."""
        records: list[Record] = []
        problems: list[LogProblem] = []
        first, *rest = data.split(b"\n")
        self._hold(first)
        for chunk in rest:
            self._complete(records, problems)
            self._hold(chunk)
        return records, problems

    def finish(self) -> list[LogProblem]:
        """Ends the log. Returns the remaining problems; an unfinished last line is dropped."""
        torn = "was not written to its end and is ignored; the writer was interrupted"
        return [self._problem(LogProblemKind.TORN_END, torn, ahead=1)] if self.is_within_line else []

    @property
    def is_within_line(self) -> bool:
        """True if the last line has no line feed yet."""
        return self._tail_size > 0 or self._skipping

    @property
    def highest_sequence(self) -> int:
        """The highest number of all records, including unreadable ones; 0 before the first."""
        return self._order.highest

    @property
    def is_log(self) -> bool:
        """True if the fed bytes are those of a session log, even if its header is torn or damaged.

        It begins with a header, whole or in part, or has more records than other lines.
        """
        if not self._line and not self._skipping:
            return is_start_of_log(b"".join(self._tail), CANCEL, is_torn=True)
        return self._starts_as_log or self._records > self._broken

    def _hold(self, chunk: bytes) -> None:
        if not chunk or self._skipping:
            return
        self._tail_size += len(chunk)
        if self._tail_size > MAX_LINE:
            self._tail, self._tail_size, self._skipping = [], 0, True
        else:
            self._tail.append(chunk)

    def _complete(self, records: list[Record], problems: list[LogProblem]) -> None:
        line = b"".join(self._tail)
        skipped = self._skipping
        self._tail, self._tail_size, self._skipping = [], 0, False
        self._line += 1
        if self._line == 1:
            self._starts_as_log = is_start_of_log(line, CANCEL, is_torn=line.endswith(CANCEL))
        if skipped:
            self._add_broken(f"is longer than {MAX_LINE} bytes", problems)
        elif line.endswith(CANCEL):
            self._torn += 1
            if self._torn <= MAX_BROKEN:
                torn = "was not written to its end and is ignored"
                problems.append(self._problem(LogProblemKind.BROKEN_LINE, torn))
        elif self._may_be_header(line) and self._read_header(line, problems):
            return
        elif self._broken > MAX_BROKEN and _VERSION_KEY not in line:
            # Decoding a million lines only for the reasons why they are broken takes many seconds.
            self._broken += bool(line.strip())
        elif line.strip():
            self._read_record(line, records, problems)

    def _may_be_header(self, line: bytes) -> bool:
        """Returns whether a line is the first, or like a header that a writer added after a torn or damaged one."""
        return self._line == 1 or (self.header is None and line.startswith(HEADER_START))

    def _read_header(self, line: bytes, problems: list[LogProblem]) -> bool:
        try:
            value = decode_line(line)
        except CodecError as error:
            problems.append(self._problem(LogProblemKind.NO_HEADER, f"should be the log's header but {error}"))
            return True
        if not isinstance(value, dict) or "ttsr-log" not in value:
            problems.append(self._problem(LogProblemKind.NO_HEADER, "should be the header of the log but is not"))
            return False
        if value["ttsr-log"] != FORMAT:
            version = str(value["ttsr-log"])[:20]
            problems.append(self._problem(LogProblemKind.UNKNOWN_FORMAT, f"says format {version}, not {FORMAT}"))
        self.header = decode_header(value)
        return True

    def _read_record(self, line: bytes, records: list[Record], problems: list[LogProblem]) -> None:
        try:
            record = decode_record(line)
        except UnknownRecordError as error:
            problems.append(self._problem(LogProblemKind.UNKNOWN_RECORD, str(error)))
            self._records += 1
            if error.sequence is not None:
                self._is_in_order(error.sequence, problems)
            return
        except CodecError as error:
            self._add_broken(str(error), problems)
            return
        if self._recorded.has_copy(line, may_be_copy=record.sequence <= self._order.highest):
            text = f"repeats record {record.sequence} and is ignored"
            problems.append(self._problem(LogProblemKind.DUPLICATE, text))
            return
        self._records += 1
        if self._is_in_order(record.sequence, problems):
            records.append(record)

    def _is_in_order(self, sequence: int, problems: list[LogProblem]) -> bool:
        order, last = self._order, self._order.last
        position = order.add(sequence)
        if position is RecordPosition.GAP and last is not None:
            problems.append(self._problem(LogProblemKind.GAP, f"is record {sequence}, but {last + 1} was expected"))
        if position is not RecordPosition.DISORDER:
            return True
        if order.disordered <= MAX_BROKEN:
            text = f"has record {sequence} after record {order.highest} and is ignored"
            problems.append(self._problem(LogProblemKind.DISORDER, text))
        return False

    def _add_broken(self, label: str, problems: list[LogProblem]) -> None:
        self._broken += 1
        if self._broken <= MAX_BROKEN:
            details = "; further broken lines are not reported" if self._broken == MAX_BROKEN else ""
            problems.append(self._problem(LogProblemKind.BROKEN_LINE, f"{label}{details}"))

    def _problem(self, kind: LogProblemKind, label: str, *, ahead: int = 0) -> LogProblem:
        line = max(self._line + ahead, 0)
        return LogProblem(kind, line, f"{f'Line {line}' if line else 'A line'} {label}.")


def read_log(path: Path) -> LogContent:
    """Reads a whole log. Raises OSError if the file cannot be read; its content never raises."""
    descriptor = open_regular(path)
    try:
        return read_descriptor(descriptor, LogDecoder())
    finally:
        os.close(descriptor)


def read_descriptor(descriptor: int, decoder: LogDecoder) -> LogContent:
    """Feeds `decoder` with an open log, from its position to its end. Raises OSError."""
    records: list[Record] = []
    problems: list[LogProblem] = []
    while data := os.read(descriptor, 1 << 20):
        more_records, more_problems = decoder.feed(data)
        records += more_records
        problems += more_problems
    return LogContent(decoder.header, tuple(records), (*problems, *decoder.finish()))
