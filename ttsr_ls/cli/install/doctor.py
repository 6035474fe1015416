"""`ttsr-ls doctor`: tests step by step whether rules are enforced in agents; each failure has a remedy."""

from __future__ import annotations

import argparse

from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS
from ttsr_ls.cli.formats.choice import add_format_arguments
from ttsr_ls.cli.printing.help_text import add_examples


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `doctor`."""
    add_examples(
        parser,
        "[AGENT ...] [options]",
        ("doctor", "check all agents whose hooks are installed"),
        ("doctor claude --no-agent", "check the hooks without running the agent"),
    )
    parser.add_argument(
        "agents", nargs="*", metavar="AGENT", help=f"{', '.join(AGENTS)} (default: those whose hooks were installed)"
    )
    parser.add_argument("--no-agent", action="store_true", help="do not run the agents themselves")
    add_format_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Runs the checks and reports. The status is 1 if one fails. Raises UsageError."""
    from ttsr_ls.cli.install.run_doctor import run_doctor

    return run_doctor(args)
