"""`ttsr-ls scan`: finds where rules would fire if an agent wrote the files (spec Q2)."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.argument_types import name_argument, whole_number
from ttsr_ls.cli.check.baseline_arguments import add_baseline_arguments
from ttsr_ls.cli.formats.choice import REPORT_FORMATS, add_format_arguments, add_output_argument
from ttsr_ls.cli.named_folders import add_rules_argument
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.store.discovery.scan_tree import MAX_SCANNED_BYTES

DEFAULT_MAXIMUM = 5 * 1024 * 1024


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `scan`."""
    add_examples(
        parser,
        "[PATH ...] [options]",
        ("scan src", "all matches in a folder"),
        ("scan --diff origin/main", "only on lines that this branch adds"),
        ("scan --staged --format concise", "in a pre-commit hook"),
    )
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="files, folders, or globs in quotes (default: .)"
    )
    rules = parser.add_argument_group("rules")
    rules.add_argument(
        "-r",
        "--rule",
        type=name_argument,
        action="append",
        default=[],
        metavar="RULE",
        help="use only this rule, a file or a name; may be repeated",
    )
    add_rules_argument(rules)
    files = parser.add_argument_group("files")
    files.add_argument("--diff", metavar="REV", help="report only lines that were added since this branch left REV")
    files.add_argument("--staged", action="store_true", help="report only lines that are staged for the next commit")
    files.add_argument("--no-gitignore", action="store_true", help="also scan files that git ignores")
    files.add_argument(
        "--max-bytes",
        type=whole_number(0),
        default=DEFAULT_MAXIMUM,
        metavar="N",
        help=f"skip larger files; 0 means the maximum, {MAX_SCANNED_BYTES} (default: {DEFAULT_MAXIMUM})",
    )
    group = parser.add_argument_group("report")
    add_format_arguments(group, tuple(REPORT_FORMATS))
    add_output_argument(group)
    group.add_argument("--statistics", action="store_true", help="print only how many matches each rule has")
    group.add_argument(
        "-v", "--verbose", action="store_true", help="also show the conditions that matched and the skipped files"
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with status 0 also if rules fire")
    group.add_argument("--no-suppressions", action="store_true", help="ignore comments 'ttsr-ls: ignore[RULE]'")
    add_baseline_arguments(group)


def run(args: argparse.Namespace) -> int:
    """Scans and reports. The status is 1 if a rule matches."""
    from ttsr_ls.cli.scan.run_scan import run_scan

    return run_scan(args)
