"""`ttsr-ls check`: finds mistakes in rule files and fixes them."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import path_argument, path_text
from ttsr_ls.cli.check.baseline_arguments import add_baseline_arguments
from ttsr_ls.cli.formats.choice import REPORT_FORMATS, add_format_arguments, add_output_argument
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.lint.finding import Severity


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `check`."""
    add_examples(
        parser,
        "[PATH ...] [options]",
        ("check", "all rules below this folder"),
        ("check --fix .omp/rules", "apply the safe fixes"),
        ("check --format github --fail-on error", "in CI"),
    )
    parser.add_argument(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="rule files, folders with rule files, or - for standard input (default: .)",
    )
    add_format_arguments(parser, tuple(REPORT_FORMATS))
    add_output_argument(parser)
    parser.add_argument("--statistics", action="store_true", help="print only how many findings each code has")
    parser.add_argument("--stdin-name", type=path_text, metavar="PATH", help="the path to assume for standard input")
    parser.add_argument(
        "--fail-on",
        choices=[str(severity) for severity in Severity],
        default=str(Severity.WARNING),
        help="the lowest severity that makes the exit status 1 (default: warning)",
    )
    fixing = parser.add_argument_group("fixing")
    fixing.add_argument("--fix", action="store_true", help="apply the safe fixes, which keep the meaning of the rule")
    fixing.add_argument(
        "--unsafe-fixes", action="store_true", help="apply the safe fixes and those that may change the meaning"
    )
    fixing.add_argument("--diff", action="store_true", help="print the fixes as a diff without writing them")
    configuration = parser.add_argument_group("configuration")
    configuration.add_argument(
        "--config", type=path_argument, metavar="FILE", help="use this configuration file for all rule files"
    )
    configuration.add_argument("--no-config", action="store_true", help="use no configuration file")
    for name, help_text in (("select", "report only these codes"), ("ignore", "do not report these codes")):
        configuration.add_argument(
            f"--{name}", action="append", default=[], metavar="CODE,…", help=f"{help_text}; overrides the configuration"
        )
    add_baseline_arguments(configuration)


def run(args: argparse.Namespace) -> int:
    """Checks the files and prints a report. An unreadable file is in the report, and makes the status `USAGE`."""
    from ttsr_ls.cli.check.run_check import run_check

    return run_check(args)
