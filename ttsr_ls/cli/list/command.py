"""`ttsr-ls list`: lists the rules that apply in the current folder, and why the others do not."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.formats.choice import add_format_arguments
from ttsr_ls.cli.named_folders import add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `list`."""
    add_examples(
        parser,
        "[options]",
        ("list", "the rules that have an effect in this folder"),
        ("list --all", "also the others, and why they have none"),
    )
    add_rules_argument(parser)
    parser.add_argument("--all", action="store_true", help="also show the rules that have no effect, and why")
    add_format_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Lists the rules. A file that cannot be read is reported and does not stop the others."""
    from ttsr_ls.cli.list.run_list import run_list

    return run_list(args)
