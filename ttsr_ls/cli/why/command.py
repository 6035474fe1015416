"""`ttsr-ls why`: walks a rule through all gates between its file and a trigger, and shows which one stops it."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import number_from_zero, path_text, whole_number
from ttsr_ls.cli.formats.choice import add_format_arguments
from ttsr_ls.cli.named_folders import add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.trial.agent_argument import add_agent_argument
from ttsr_ls.rules.stream import Source


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `why`."""
    add_examples(
        parser,
        "RULE [options]",
        ("why no-any", "what does the rule need to fire?"),
        ("why no-any --path src/a.ts --text 'x as any;'", "does it fire on this edit?"),
    )
    parser.add_argument("rule", metavar="RULE", help="the name of a rule, or the path of its file")
    add_rules_argument(parser)
    parser.add_argument(
        "--source",
        choices=[str(source) for source in Source],
        help="the kind of stream to check the rule against (default: not checked)",
    )
    parser.add_argument("--tool", metavar="NAME", help="the tool that is called (default: edit)")
    parser.add_argument("-p", "--path", metavar="PATH", help="the file that the tool would write")
    text = parser.add_mutually_exclusive_group()
    text.add_argument("--text", metavar="TEXT", help="what the agent writes")
    text.add_argument(
        "--file", type=path_text, metavar="FILE", help="a file with what the agent writes, or - for standard input"
    )
    add_agent_argument(parser)
    parser.add_argument(
        "--fired",
        type=whole_number(0),
        metavar="NUMBER",
        help="the rule fired this many answers (or turns, if `repeatUnit` or its dialect says so) ago in the session",
    )
    parser.add_argument(
        "--ago",
        type=number_from_zero,
        metavar="SECONDS",
        help="the rule fired this many seconds ago, for the cooldown of pi-ttsr",
    )
    add_format_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Walks the rule through the gates and prints the report. The status is 0 if no gate stops the rule."""
    from ttsr_ls.cli.why.run_why import run_why

    return run_why(args)
