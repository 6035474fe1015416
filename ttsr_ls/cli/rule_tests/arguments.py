"""The arguments of `test` for rule tests, and the refusal of those that do not fit a text or rule tests."""

from __future__ import annotations

import argparse
from pathlib import Path

from ttsr_ls.errors import UsageError
from ttsr_ls.rule_tests.case_file_names import is_case_file

FORMATS = ("text", "json", "junit")
_RUN = ("filter", "watch", "update", "output")
_STREAM = ("source", "tool", "path", "matching", "chunk")


def add_run_arguments(group: argparse._ActionsContainer) -> None:
    """Adds the arguments that are for rule tests alone."""
    group.add_argument(
        "--filter", metavar="NAME", help="run only rules and cases whose names contain this text or match this glob"
    )
    group.add_argument(
        "--watch", action="store_true", help="run again after each change of a rule or a test, until Ctrl-C"
    )
    group.add_argument(
        "--update", action="store_true", help="write the actual results into condition, offset, and line"
    )


def names_tests(name: str) -> bool:
    """Returns whether an argument of `test` is a folder or a test file, and not a text."""
    try:
        return bool(name) and (Path(name).is_dir() or (is_case_file(name) and Path(name).is_file()))
    except (OSError, ValueError):
        # A text may be longer than any file name, or contain NUL.
        return False


def refuse_missing_path(name: str) -> None:
    """Raises `UsageError` for a text that is probably the path of tests that do not exist.

    A misspelt path would succeed in CI, as a text on which no rule must fire.
    """
    if not name or name != "".join(name.split()) or "\0" in name:
        return
    try:
        path = Path(name)
        # With a `/`, it is a path only if the folder before it exists: `and/or` is a text.
        if not path.exists() and (is_case_file(name) or ("/" in name and path.parent.is_dir())):
            raise UsageError(f"there is no file or folder {name}; to test it as a text, add --source text")
    except OSError:
        # A text may be longer than any file name.
        return


def refuse_run_arguments(args: argparse.Namespace) -> None:
    """Raises `UsageError` for an argument that has no meaning for a text."""
    if args.format == "junit":
        raise UsageError("--format junit is for rule tests; leave out the text")
    for name in _RUN:
        if getattr(args, name) not in (None, False):
            raise UsageError(f"--{name} is for rule tests; leave out the text")


def refuse_stream_arguments(args: argparse.Namespace) -> None:
    """Raises `UsageError` for an argument that has no meaning without a text."""
    for name in _STREAM:
        if getattr(args, name) is not None:
            raise UsageError(
                f"there is no text to test, and --{name} is for a text: give a text, --file PATH, or --file - to read "
                "standard input"
            )
    if args.answers != 1 or args.pause:
        raise UsageError("--answers and --pause are for a text; each rule test is one answer")
    if args.dialect is not None:
        raise UsageError("--dialect is for a text; a rule is tested in the dialect of its file")
