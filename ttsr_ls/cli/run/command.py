"""`ttsr-ls run`: runs an agent with a prompt and enforces rules over its own protocol."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import path_argument, path_text, positive_number
from ttsr_ls.cli.log_arguments import add_strict_argument
from ttsr_ls.cli.named_folders import add_cwd_argument, add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.proxy.arguments import add_proxy_arguments

PROXIED_NAMES = ("claude", "codex", "gemini", "opencode", "pi")
"""The agents that run behind a proxy, as in the table of `bridge.proxy.launching`; a test compares them."""

AGENT_NAMES = ("claude", "codex", "gemini", "omp", "opencode", "pi")
"""All agents: those of `PROXIED_NAMES`, and those that are controlled over a protocol of their own."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `run`."""
    add_examples(
        parser,
        "[options] AGENT [-- ARGUMENTS OF THE AGENT]",
        ("run codex -p 'Add a test.'", "run Codex with a prompt"),
        ("run codex", "run Codex in its own interface, at a terminal"),
        ("run claude --proxy -- --model opus", "leave the terminal to Claude Code, behind a proxy"),
    )
    parser.add_argument("agent", choices=AGENT_NAMES, metavar="AGENT", help=", ".join(AGENT_NAMES))
    parser.add_argument(
        "-p",
        "--prompt",
        metavar="TEXT",
        help="the prompt (default: standard input; none for codex at a terminal, which then shows its own interface)",
    )
    parser.add_argument(
        "--approve",
        action="store_true",
        help="permit what the agent asks permission for and no rule forbids (default: refuse it)",
    )
    parser.add_argument(
        "--program", type=path_text, metavar="PATH", help="the agent's program (default: found by its name)"
    )
    add_rules_argument(parser)
    add_cwd_argument(parser, "the folder that the agent runs in")
    parser.add_argument(
        "--silence",
        type=positive_number,
        default=1800.0,
        metavar="SECONDS",
        help="stop an agent that prints nothing for so many seconds before it is done (default: 1800)",
    )
    log = parser.add_mutually_exclusive_group()
    log.add_argument("--log", type=path_argument, metavar="FILE", help="the session log to write")
    log.add_argument("--no-log", action="store_true", help="write no session log; editors cannot follow the run then")
    add_strict_argument(parser)
    proxy = parser.add_argument_group("behind a proxy")
    proxy.add_argument(
        "--proxy",
        action="store_true",
        help="put a proxy between the agent and its model, and leave the terminal to the agent "
        f"({', '.join(PROXIED_NAMES)}); write its prompt and options behind --",
    )
    add_proxy_arguments(proxy)


def run(args: argparse.Namespace) -> int:
    """Runs until the agent is done. Raises UsageError where it cannot be started."""
    from ttsr_ls.cli.run.run_controlled import run_controlled

    return run_controlled(args)
