"""`ttsr-ls acp`: a relay between an editor and its agent that enforces rules, over the Agent Client Protocol."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.named_folders import add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `acp`."""
    add_examples(
        parser,
        "[options] -- PROGRAM [ARGUMENTS OF THE PROGRAM]",
        ("acp -- gemini --acp", "as the command of an agent in an editor"),
    )
    add_rules_argument(parser)
    parser.add_argument(
        "--no-log", action="store_true", help="write no session logs; editors cannot follow the sessions then"
    )


def run(args: argparse.Namespace) -> int:
    """Relays until the editor closes the connection. Raises UsageError where the agent cannot be started."""
    from ttsr_ls.cli.acp.run_relay import run_relay

    return run_relay(args)
