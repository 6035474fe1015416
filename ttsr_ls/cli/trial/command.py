"""`ttsr-ls test`: shows which rules fire on a text; without a text, runs the tests of rules."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import name_argument, number_from_zero, path_text, whole_number
from ttsr_ls.cli.formats.choice import add_format_arguments, add_output_argument
from ttsr_ls.cli.named_folders import add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.rule_tests.arguments import FORMATS, add_run_arguments
from ttsr_ls.cli.trial.agent_argument import add_agent_argument
from ttsr_ls.cli.trial.expectations import add_expectation_arguments
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source
from ttsr_ls.syntax.dialects.table import DialectId

_MAX_ANSWERS = 10_000
_DIALECTS = (DialectId.OMP, DialectId.OMP_LEGACY, DialectId.PI_TTSR)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `test`."""
    add_examples(
        parser,
        "[TEXT|PATH ...] [options]",
        ("test", "run the tests of all rules here"),
        ("test --filter no-any --watch", "run those of one rule after each change"),
        ("test 'x as any' --path a.ts --expect-fire=no-any", "does this rule fire on this edit?"),
    )
    parser.add_argument(
        "subjects", nargs="*", metavar="TEXT|PATH", help="a text, or folders and NAME.test.yml files (default: .)"
    )
    add_run_arguments(parser.add_argument_group("rule tests"))
    _add_stream_arguments(parser.add_argument_group("a text"))
    group = parser.add_argument_group("rules and report")
    group.add_argument(
        "-r",
        "--rule",
        type=name_argument,
        metavar="RULE",
        help="use only this rule, a file or a name, or run its tests",
    )
    add_rules_argument(group)
    group.add_argument(
        "--dialect",
        choices=[str(dialect) for dialect in _DIALECTS],
        help="the dialect of the file of --rule (default: decided by its path, then by its keys)",
    )
    add_format_arguments(group, FORMATS)
    add_output_argument(group)
    group.add_argument("-v", "--verbose", action="store_true", help="also show the rules that do not fire, and why")


def _add_stream_arguments(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--file", type=path_text, metavar="PATH", help="read the text from a file, or - for standard input"
    )
    group.add_argument(
        "--source",
        choices=[str(source) for source in Source],
        help="the kind of stream (default: tool with a file or --tool, else text)",
    )
    group.add_argument("--tool", metavar="NAME", help="the tool that gets the text (default: edit)")
    group.add_argument("-p", "--path", metavar="PATH", help="the file that the tool writes")
    add_agent_argument(group)
    group.add_argument(
        "--matching",
        choices=[str(mode) for mode in Matching],
        help="how conditions are matched (default: as in the rule's dialect)",
    )
    group.add_argument(
        "--chunk", type=whole_number(1), metavar="N", help="stream it in deltas of N characters (default: one)"
    )
    group.add_argument(
        "--answers",
        type=whole_number(1, _MAX_ANSWERS),
        default=1,
        metavar="N",
        help="stream the text in N answers, one after the other (default: 1)",
    )
    group.add_argument(
        "--pause", type=number_from_zero, default=0.0, metavar="S", help="the seconds between answers (default: 0)"
    )
    add_expectation_arguments(group)


def run(args: argparse.Namespace) -> int:
    """Tries a text and reports, or runs rule tests."""
    from ttsr_ls.cli.trial.run_trial import run_trial

    return run_trial(args)
