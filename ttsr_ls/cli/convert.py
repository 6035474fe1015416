"""`ttsr-ls convert`: converts rule files to another dialect and reports the losses."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import path_text
from ttsr_ls.cli.formats.choice import add_format_arguments
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.syntax.dialects.table import DIALECTS

TARGET_NAMES = ("omp", "pi-ttsr", "cursor", "windsurf", "cline", "github", "claude")
"""The dialects that rules are converted to; a test compares them with the table of conversions."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `convert`."""
    add_examples(
        parser,
        "FILE... --to DIALECT [options]",
        ("convert .cursor/rules/a.mdc --to omp", "print a rule of Cursor as one of oh-my-pi"),
        ("convert .pi/rules/a.md --to omp --diff", "show what changes"),
    )
    parser.add_argument("files", nargs="+", type=path_text, metavar="FILE", help="rule files")
    parser.add_argument("--to", required=True, choices=TARGET_NAMES, help="the dialect to write")
    parser.add_argument(
        "--from",
        dest="source",
        choices=[str(dialect.id) for dialect in DIALECTS],
        help="the dialect of the files (default: decided by the path, then by the keys)",
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--write",
        action="store_true",
        help="write the converted file next to the original, or over it if the name is the same",
    )
    output.add_argument("--diff", action="store_true", help="print the changes as a diff")
    add_format_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Converts the files and prints the results.

    Losses are printed on standard error. The status is `FINDINGS` after a loss and `USAGE` after an error.
    """
    from ttsr_ls.cli.run_convert import run_convert

    return run_convert(args)
