"""The formats of reports by their names, and the arguments `--format`, `--json`, and `--output`."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO, cast

from ttsr_ls.cli.argument_types import path_argument
from ttsr_ls.errors import UsageError

if TYPE_CHECKING:
    from ttsr_ls.cli.formats.report import CheckReport

REPORT_FORMATS = {
    "text": "ttsr_ls.cli.formats.text",
    "concise": "ttsr_ls.cli.formats.concise",
    "json": "ttsr_ls.cli.formats.as_json",
    "jsonl": "ttsr_ls.cli.formats.json_lines",
    "sarif": "ttsr_ls.cli.formats.sarif",
    "github": "ttsr_ls.cli.formats.github",
    "gitlab": "ttsr_ls.cli.formats.gitlab",
    "junit": "ttsr_ls.cli.formats.junit",
}


class Format(Protocol):
    """The interface of the module of a format."""

    def write(self, report: CheckReport, out: TextIO) -> None:
        """Prints a report."""


def add_format_arguments(
    parser: argparse._ActionsContainer, names: Sequence[str] = ("text", "json"), *, short: str = "json"
) -> None:
    """Adds `--format`, and `--json` as an abbreviation of `--format SHORT`, where SHORT is the argument `short`."""
    parser.add_argument(
        "--format", action=_FormatAction, choices=names, default="text", help="the format of the report (default: text)"
    )
    parser.add_argument(
        "--json", action=_FormatAction, dest="format", nargs=0, const=short, help=f"the same as --format {short}"
    )


def add_output_argument(parser: argparse._ActionsContainer) -> None:
    """Adds `--output`, the file for `opened_output`."""
    parser.add_argument("--output", type=path_argument, metavar="FILE", help="write the report to a file")


class _FormatAction(argparse.Action):
    """Stores the format. Refuses two different ones, of which argparse would silently use the last."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        name = self.const if self.nargs == 0 else values
        named = getattr(namespace, "named_format", name)
        if named != name:
            other = named if name == self.const else name
            parser.error(f"--json and --format {other} cannot be combined; leave out one of them")
        namespace.format = namespace.named_format = name


def write_report(report: CheckReport, name: str, out: TextIO) -> None:
    """Prints a report in the format of this name."""
    cast(Format, importlib.import_module(REPORT_FORMATS[name])).write(report, out)


@contextmanager
def opened_output(path: Path | None) -> Iterator[TextIO]:
    """The file to print to, or standard output. Raises `UsageError` where the file cannot be written."""
    if path is None:
        yield sys.stdout
        return
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="\n", opener=_opener) as out:
            yield out
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def _opener(path: str, flags: int) -> int:
    """Opens a file for writing. A pipe without a reader is an error instead of a wait."""
    unblocked = getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | unblocked, 0o666)
    if unblocked:
        os.set_blocking(descriptor, True)
    return descriptor
