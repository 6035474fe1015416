"""Printing. All output of commands passes through this module, which escapes it.

While a command runs, `sys.stdout` and `sys.stderr` are `EscapingStream`s, so that what libraries print (argparse, a
traceback, the logging module's last resort) is escaped too. Commands call the functions below. A value with line feeds
could still forge a line of its own: it has to go through `one_line` where it is put into a sentence.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TextIO, cast

from ttsr_ls.cli.printing.terminal import one_line, painted_text, printable

# Runners of CI obey lines of a log: `::name` and `##[name]` (GitHub), `##vso[name]` (Azure), `##teamcity[name]`.
_CI_VARIABLES = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")
_CI_COMMAND = re.compile(r"^(?P<blank>[ \t]*):(?=:)|#(?=#\w*\[)", re.MULTILINE)

_PROGRESS_WIDTH = 78


_IS_QUIET: ContextVar[bool] = ContextVar("quiet", default=False)


class EscapingStream:
    """A text stream that writes to the stream `inner`: all but the colours of `Palette.paint` as printable text."""

    def __init__(self, inner: TextIO) -> None:
        self.inner = inner

    def write(self, text: str) -> int:
        """Writes `text` escaped; returns its length as it was given."""
        self.inner.write(_escaped(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Writes each of `lines` escaped."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@contextmanager
def escaping_standard_streams() -> Iterator[None]:
    """Makes standard output and error escape what is written to them, for as long as the context lasts."""
    out, err = sys.stdout, sys.stderr
    sys.stdout = cast(TextIO, EscapingStream(out))
    sys.stderr = cast(TextIO, EscapingStream(err))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def write_line(text: str = "", stream: TextIO | None = None, *, end: str = "\n", flush: bool = False) -> None:
    """Prints `text`, which may have several lines and colours, to `stream` (default: standard output)."""
    target = sys.stdout if stream is None else stream
    target.write(text + end if isinstance(target, EscapingStream) else _escaped(text + end))
    if flush:
        target.flush()


def write_progress(text: str, stream: TextIO) -> None:
    """Replaces the current line of a terminal by `text`, truncated to the width of a narrow terminal."""
    inner = inner_stream(stream)
    inner.write(f"\r\x1b[K{printable(one_line(text))[:_PROGRESS_WIDTH]}")
    inner.flush()


def write_error(message: str) -> None:
    """Prints `message` on one line to standard error, with the name of this program before it."""
    write_line(f"ttsr-ls: {one_line(message)}", sys.stderr)


def write_note(message: str) -> None:
    """Prints a note to standard error, unless `--quiet` is given."""
    if not is_quiet():
        write_error(message)


@contextmanager
def quiet_output(choice: bool) -> Iterator[None]:
    """Makes `is_quiet` return `choice` for as long as the context lasts."""
    token = _IS_QUIET.set(choice)
    try:
        yield
    finally:
        _IS_QUIET.reset(token)


def is_quiet() -> bool:
    """Returns whether summaries, notes, and progress are left out, as `--quiet` asks."""
    return _IS_QUIET.get()


def write_json(value: object, stream: TextIO | None = None, *, indent: int | None = None) -> None:
    """Prints `value` as JSON in ASCII; a control character is a `\\u` escape."""
    # DEL is the only control character that JSON's own encoding leaves as it is.
    text = json.dumps(value, indent=indent).replace("\x7f", "\\u007f")
    write_document(text.replace("##", "#\\u0023") if _is_ci() else text, sys.stdout if stream is None else stream)


def write_exact(text: str) -> None:
    """Prints text for programs to standard output, without escapes unless that is a terminal."""
    if sys.stdout.isatty():
        write_line(text, end="")
    else:
        inner_stream(sys.stdout).write(text)


def write_bytes(data: bytes) -> None:
    """Writes bytes to standard output immediately: unchanged, but to a terminal as escaped text."""
    if sys.stdout.isatty():
        write_line(data.decode("utf-8", "replace"), end="", flush=True)
        return
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_document(text: str, stream: TextIO) -> None:
    """Prints lines of a machine-readable format, in which values are escaped by the rules of that format."""
    inner_stream(stream).write(f"{printable(text)}\n")


def inner_stream(stream: TextIO) -> TextIO:
    """The stream below an `EscapingStream`. What is written there has to be escaped already."""
    return stream.inner if isinstance(stream, EscapingStream) else stream


def _escaped(text: str) -> str:
    display = painted_text(text)
    # The pattern first: few lines have a command, and reading the environment for each line takes most of the time.
    return _CI_COMMAND.sub(_escaped_command, display) if _CI_COMMAND.search(display) and _is_ci() else display


def _is_ci() -> bool:
    return any(map(os.environ.get, _CI_VARIABLES))


def _escaped_command(match: re.Match[str]) -> str:
    return "\\x23" if match["blank"] is None else f"{match['blank']}\\x3a"
