"""`ttsr-ls watch`: follows the stream of a running agent and reports each trigger as it happens."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import path_argument, path_text
from ttsr_ls.cli.formats.choice import add_format_arguments
from ttsr_ls.cli.log_arguments import add_strict_argument
from ttsr_ls.cli.named_folders import add_cwd_argument, add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.rules.settings.settings import Matching

AUTO = "auto"

SOURCE_NAMES = (
    "acp",
    "anthropic-api",
    "claude",
    "claude-transcript",
    "codex",
    "codex-app-server",
    "codex-rollout",
    "gemini",
    "gemini-api",
    "gemini-chat",
    "omp",
    "openai-chat-api",
    "openai-responses-api",
    "opencode",
    "pi",
    "session-log",
    "text",
)
"""The formats of agents' output; a test compares them with the table of adapters."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `watch`."""
    add_examples(
        parser,
        "[FILE] [options]",
        ("watch", "follow the session that an agent keeps of this folder"),
        ("watch run.jsonl --rules rules", "report on a file with an agent's output"),
        ("watch --json < run.jsonl", "the same as JSON lines"),
    )
    parser.add_argument(
        "stream",
        nargs="?",
        type=path_text,
        metavar="FILE",
        help="a file with the agent's output, or - for standard input (default: standard input if it is a pipe; at a "
        "terminal, the latest session that an agent keeps of this folder, which is followed)",
    )
    parser.add_argument(
        "--from",
        dest="agent",
        default=AUTO,
        choices=[AUTO, *SOURCE_NAMES],
        metavar="SOURCE",
        help=f"the format of the output: {', '.join(SOURCE_NAMES)} (default: {AUTO}, detected from its first lines)",
    )
    add_rules_argument(parser)
    parser.add_argument(
        "--matching",
        choices=[str(mode) for mode in Matching],
        default=str(Matching.STABLE),
        help="stable: a condition matches once no further text can undo the match; reference: conditions are tried on "
        "each delta, as in oh-my-pi (default: stable)",
    )
    add_cwd_argument(parser, "the folder that the agent runs in")
    log = parser.add_mutually_exclusive_group()
    log.add_argument("--log", type=path_argument, metavar="FILE", help="the session log to write or to continue")
    log.add_argument(
        "--no-log", action="store_true", help="write no session log; editors cannot follow the session then"
    )
    add_strict_argument(parser)
    add_format_arguments(parser, ("text", "jsonl"), short="jsonl")
    parser.add_argument("--no-live", action="store_true", help="print plain lines also on a terminal")
    parser.add_argument(
        "--passthrough",
        action="store_true",
        help="copy the agent's output to standard output, and print the report on standard error",
    )


def run(args: argparse.Namespace) -> int:
    """Watches until the stream ends. Raises UsageError where it cannot be read."""
    from ttsr_ls.cli.watch.run_watch import run_watch

    return run_watch(args)
