"""The argument `--agent` of `test` and `why`: the agent that writes the text."""

from __future__ import annotations

import argparse

from ttsr_ls.rules.rule_set import MAIN_AGENT


def add_agent_argument(parser: argparse._ActionsContainer) -> None:
    """Adds the argument, whose value is a name in lower case."""
    parser.add_argument(
        "--agent", metavar="NAME", type=_name, default=MAIN_AGENT, help=f"the agent that writes (default: {MAIN_AGENT})"
    )


def _name(text: str) -> str:
    """Parses the name as the reference agent does: case and surrounding blanks are ignored; blank is the main agent."""
    return text.strip().lower() or MAIN_AGENT
