"""`ttsr-ls check`: finds what is wrong with rule files."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from ttsr_ls.cli.check_output import CheckedFile, Unreadable, print_json, print_text
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.rule_paths import rule_paths
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.context import LintContext, NamedRule
from ttsr_ls.lint.engine import check_file
from ttsr_ls.store.discovery import MAX_RULE_BYTES, RuleUnreadableError, read_file, rule_name
from ttsr_ls.store.load_order import load_order_in
from ttsr_ls.syntax.reader import decode, read_rule

_STDIN = "-"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `check`."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="rule files, folders that have some, or - for stdin")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how findings are printed")
    parser.add_argument(
        "--stdin-name", metavar="PATH", default="stdin.md", help="the path that the text on stdin would have"
    )


def run(args: argparse.Namespace) -> int:
    """Checks and reports. Unreadable files are reported beside the findings and make the status `USAGE`."""
    # A run sees one state of the disk, and a folder of a thousand rules is listed once.
    load_order = cache(_load_order_in)
    results = [_check(path, args.stdin_name, load_order) for path in _paths(args.paths)]
    checked = [result for result in results if isinstance(result, CheckedFile)]
    unreadable = [result for result in results if isinstance(result, Unreadable)]
    if args.format == "json":
        print_json(checked, sys.stdout)
    else:
        print_text(checked, sys.stdout)
    for result in unreadable:
        print(f"ttsr-ls: {result.reason}", file=sys.stderr)
    if unreadable:
        return ExitCode.USAGE
    return ExitCode.FINDINGS if any(result.findings for result in checked) else ExitCode.OK


def _paths(named: list[str]) -> list[Path]:
    if _STDIN not in named:
        return list(rule_paths(named))
    if len(named) > 1:
        raise UsageError("'-' reads the text of one rule from standard input, so it cannot be mixed with other paths")
    return [Path(_STDIN)]


def _load_order_in(folder: Path) -> tuple[NamedRule, ...]:
    """The rules that are loaded with those in a folder, with their paths written as that of the folder is."""
    absolute = folder.absolute()
    shown: list[NamedRule] = []
    for rule in load_order_in(absolute):
        path = Path(rule.path)
        if path.parent == absolute:
            path = folder / path.name
        elif not folder.is_absolute():
            path = Path(os.path.relpath(path))
        shown.append(replace(rule, path=str(path)))
    return tuple(shown)


def _check(
    path: Path, stdin_name: str, load_order_of: Callable[[Path], tuple[NamedRule, ...]]
) -> CheckedFile | Unreadable:
    shown, load_order = str(path), tuple[NamedRule, ...]()
    try:
        if shown == _STDIN:
            shown = stdin_name
            data = sys.stdin.buffer.read(MAX_RULE_BYTES + 1)
            if len(data) > MAX_RULE_BYTES:
                return Unreadable(shown, f"cannot check standard input: it is larger than {MAX_RULE_BYTES // 1024} KiB")
        else:
            data = read_file(path)
            load_order = load_order_of(path.parent)
    except RuleUnreadableError as error:
        return Unreadable(shown, str(error))
    if b"\0" in data:
        return Unreadable(shown, f"cannot check {shown}: it is a binary file")
    text, problems = decode(data)
    file = read_rule(text, name=rule_name(Path(shown).name), path=shown)
    return CheckedFile(shown, text, check_file(file, LintContext(load_order=load_order), problems))
