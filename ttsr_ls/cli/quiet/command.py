"""`ttsr-ls quiet`: silences rules for a session or for a time, and limits how many triggers count."""

from __future__ import annotations

import argparse
import re

from ttsr_ls.cli.named_folders import add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples

_DURATION = re.compile(r"(\d{1,6})([smhd])")
_CAP = re.compile(r"[0-9]{1,6}")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `quiet`."""
    add_examples(
        parser,
        "[RULE ...] [options]",
        ("quiet no-any", "silence a rule in the running session of this folder"),
        ("quiet no-any --for 30m", "silence it in all sessions for half an hour"),
        ("quiet --per-turn 3", "let at most three triggers take effect in a turn"),
        ("quiet --off", "enable all rules again, and remove both limits"),
    )
    parser.add_argument("names", nargs="*", metavar="RULE", help="a rule (default: list the silenced rules)")
    span = parser.add_mutually_exclusive_group()
    span.add_argument(
        "--for", dest="duration", type=_duration, metavar="TIME", help="silence it for a time, such as 30m, 2h, or 1d"
    )
    span.add_argument("--session", metavar="NAME", help="silence it in this session (default: the latest running one)")
    span.add_argument(
        "--off", action="store_true", help="enable the rule again; without RULE, all rules, and remove both limits"
    )
    add_rules_argument(parser)
    parser.add_argument(
        "--per-turn", type=_cap, metavar="N", help="let at most N triggers take effect in a turn; any: no limit"
    )
    parser.add_argument(
        "--per-session", type=_cap, metavar="N", help="let at most N triggers take effect in a session; any: no limit"
    )


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
    if not _CAP.fullmatch(input_text) or not int(input_text):
        raise argparse.ArgumentTypeError("write a number from 1 to 999999, or `any`")
    return int(input_text)
