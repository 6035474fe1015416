"""`ttsr-ls explain`: the page of a finding code, or what a rule file comes to."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.printing.markdown_text import rendered
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import palette_for
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.catalogue import CATALOGUE, CatalogueEntry, find
from ttsr_ls.syntax.near_miss import nearest


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `explain`."""
    parser.add_argument("subject", nargs="?", metavar="CODE|FILE", help="a finding code, or a rule file")


def run(args: argparse.Namespace) -> int:
    """Explains; without a subject, lists the codes. Raises `UsageError` for what is neither a code nor a file."""
    palette = palette_for(sys.stdout)
    if args.subject is None:
        for each in CATALOGUE:
            write_line(f"{each.code:<28} {each.severity:<8} {each.summary}")
        return ExitCode.OK
    entry = find(args.subject)
    if entry is not None:
        write_line(rendered(_page(entry), palette))
        return ExitCode.OK
    path = Path(args.subject)
    if not args.subject or not path.exists():
        raise UsageError(f"'{args.subject}' is neither a finding code nor a file{_suggestion(args.subject)}")
    from ttsr_ls.cli.explain.rule import rule_explanation

    write_line(rendered(rule_explanation(path), palette))
    return ExitCode.OK


def _page(entry: CatalogueEntry) -> str:
    title, _, rest = entry.page_with_addresses.partition("\n")
    return f"{title}\n\n**{entry.severity}**: {entry.summary}\n{rest}"


def _suggestion(name: str) -> str:
    near = nearest(name, (entry.code for entry in CATALOGUE))
    return "; run 'ttsr-ls explain' for the list of codes" if near is None else f"; did you mean '{near}'?"
