"""The arguments that every command has: `--quiet` and `--color`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from ttsr_ls.cli.printing.output import quiet_output
from ttsr_ls.cli.printing.terminal import ColourChoice, use_colours


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments to a command and to its actions."""
    _add(parser, is_quiet=False, colour=str(ColourChoice.AUTO))
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name in action.choices:
                # A default of the action would replace the value that stands before the action.
                _add(action.choices[name], is_quiet=argparse.SUPPRESS, colour=argparse.SUPPRESS)


def _add(parser: argparse.ArgumentParser, *, is_quiet: bool | str, colour: str) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "-q", "--quiet", action="store_true", default=is_quiet, help="print no summary, no notes, and no progress"
    )
    group.add_argument(
        "--color",
        choices=[str(choice) for choice in ColourChoice],
        default=colour,
        help="use colours (default: auto, on a terminal)",
    )


@contextmanager
def output_settings(args: argparse.Namespace) -> Iterator[None]:
    """Applies the arguments for as long as the context lasts."""
    with quiet_output(args.quiet), use_colours(ColourChoice(args.color)):
        yield
