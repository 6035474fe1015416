"""`ttsr-ls agent`: a small complete agent whose session has rules, tasks and a log."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.agent.model_arguments import add_model_arguments
from ttsr_ls.cli.argument_types import path_argument
from ttsr_ls.cli.log_arguments import add_strict_argument
from ttsr_ls.cli.named_folders import add_cwd_argument, add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `agent`."""
    add_examples(
        parser,
        "[options]",
        ("agent --script script.yaml -p 'Add a test.'", "play a script, without a model"),
        ("agent --model claude-opus-4 --yes", "talk with a model"),
    )
    parser.add_argument(
        "-p",
        "--prompt",
        action="append",
        default=[],
        help="the prompt of a turn; may be repeated for several turns (default: prompts are read from standard input)",
    )
    add_cwd_argument(parser, "the folder to work in")
    parser.add_argument("--yes", action="store_true", help="run commands without asking")
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="show injected messages in full, and the tokens that each turn used",
    )
    add_rules_argument(parser)
    log = parser.add_mutually_exclusive_group()
    log.add_argument("--log", type=path_argument, metavar="FILE", help="the session log to write or to continue")
    log.add_argument(
        "--continue",
        dest="resume",
        type=path_argument,
        metavar="FILE",
        help="the session log to continue; it must exist",
    )
    log.add_argument(
        "--no-log", action="store_true", help="write no session log; editors cannot follow the session then"
    )
    add_strict_argument(parser)
    add_model_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the agent until there are no more prompts. Raises UsageError for arguments that contradict each other."""
    from ttsr_ls.cli.agent.run_agent import run_agent

    return run_agent(args)
