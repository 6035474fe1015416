"""`ttsr-ls quiet`: silences rules for a session or a while, and bounds how many triggers count."""

from __future__ import annotations

import argparse
import re

from ttsr_ls.cli.named_folders import add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples

_DURATION = re.compile(r"(\d{1,6})([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `quiet`."""
    add_examples(
        parser,
        "[RULE ...] [options]",
        ("quiet no-any", "silence a rule in the session of this folder that runs"),
        ("quiet no-any --for 30m", "silence it in all sessions for a while"),
        ("quiet --per-turn 3", "let three triggers of a turn count"),
        ("quiet --off", "end the silence of all rules, and remove both caps"),
    )
    parser.add_argument("names", nargs="*", metavar="RULE", help="a rule; without any, what is silenced is listed")
    span = parser.add_mutually_exclusive_group()
    span.add_argument("--for", dest="duration", type=_duration, metavar="TIME", help="silence it so long: 30m, 2h, 1d")
    span.add_argument("--session", metavar="NAME", help="silence it in this session (default: the latest that runs)")
    span.add_argument("--off", action="store_true", help="end a silence; without RULE, end all, and both caps")
    add_rules_argument(parser)
    parser.add_argument("--per-turn", type=_cap, metavar="N", help="let N triggers of a turn count, or: any")
    parser.add_argument("--per-session", type=_cap, metavar="N", help="let N triggers of a session count, or: any")


def run(args: argparse.Namespace) -> int:
    """Changes what is silenced in the workspace of the current folder, and lists it."""
    from ttsr_ls.cli.quiet.run_quiet import run_quiet

    return run_quiet(args)


def _duration(input_text: str) -> int:
    match = _DURATION.fullmatch(input_text)
    if match is None:
        raise argparse.ArgumentTypeError("write a number and s, m, h, or d, as in 30m")
    return int(match[1]) * _SECONDS[match[2]]


def _cap(input_text: str) -> int:
    if input_text == "any":
        return 0
    if (
        not input_text.isascii()
        or not input_text.isdigit()
        or not 0 < int(input_text[:7]) < 1_000_000
        or len(input_text) > 6
    ):
        raise argparse.ArgumentTypeError("write a number from 1 to 999999, or any")
    return int(input_text)
