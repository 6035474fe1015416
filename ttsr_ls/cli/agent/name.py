"""The argument `--agent`: which agent writes, in `test` and `why`."""

from __future__ import annotations

import argparse

from ttsr_ls.rules.rule_set import MAIN_AGENT


def add_agent_argument(parser: argparse._ActionsContainer) -> None:
    """Adds the argument. What is parsed is a name in lower case."""
    parser.add_argument(
        "--agent", metavar="NAME", type=_name, default=MAIN_AGENT, help=f"the agent that writes (default: {MAIN_AGENT})"
    )


def _name(text: str) -> str:
    """As the reference reads it: neither case nor blanks around it count, and no name is the main agent's."""
    return text.strip().lower() or MAIN_AGENT
