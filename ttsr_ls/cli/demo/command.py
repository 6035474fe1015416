"""`ttsr-ls demo`: a rule that fires and corrects an answer, a broken rule, and a recorded run of a real agent."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import positive_number
from ttsr_ls.cli.log_arguments import add_strict_argument
from ttsr_ls.cli.printing.help_text import add_examples


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `demo`."""
    add_examples(
        parser,
        "[options]",
        ("demo", "play all three parts, in half a minute"),
        ("demo --speed 10 --no-log", "play faster, and leave nothing behind"),
    )
    parser.add_argument(
        "--speed", type=positive_number, default=1.0, metavar="N", help="play N times as fast (default: 1)"
    )
    parser.add_argument(
        "--editor",
        nargs="?",
        const="",
        metavar="DIR",
        help="write a project in DIR (default: a new temporary folder) and let the recorded agent work in it, for an "
        "editor that is open on it",
    )
    parser.add_argument("--no-log", action="store_true", help="write no session log of the recorded run")
    add_strict_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Plays the three parts. Needs no key and no network."""
    from ttsr_ls.cli.demo.run_demo import run_demo

    return run_demo(args)
