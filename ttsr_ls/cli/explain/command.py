"""`ttsr-ls explain`: prints the page of a finding code, or what a rule does."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.formats.choice import add_format_arguments
from ttsr_ls.cli.named_folders import named_rule_file
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.printing.markdown_text import render_markdown
from ttsr_ls.cli.printing.output import write_json, write_line
from ttsr_ls.cli.printing.terminal import palette_for, terminal_width
from ttsr_ls.errors import UsageError
from ttsr_ls.ide.paragraphs import wrap_lines
from ttsr_ls.lint.catalogue import CATALOGUE, CatalogueEntry, find
from ttsr_ls.syntax.nearest_word import nearest_word

_WIDTH = 100


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `explain`."""
    add_examples(
        parser,
        "[CODE|FILE] [options]",
        ("explain", "all codes of findings"),
        ("explain file-glob", "the page of one code"),
        ("explain .omp/rules/no-any.md", "what a rule does"),
    )
    parser.add_argument(
        "subject", nargs="?", metavar="CODE|FILE", help="a finding code, or a rule: its file or its name"
    )
    add_format_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Explains; without a subject, lists the codes. Raises `UsageError` if the subject is neither a code nor a rule."""
    palette, is_json = palette_for(sys.stdout), args.format == "json"
    if args.subject is None:
        if is_json:
            write_json([_summary_json(entry) for entry in CATALOGUE], indent=2)
            return ExitCode.OK
        for each in CATALOGUE:
            write_line(f"{each.code:<28} {each.severity:<8} {each.summary}")
        return ExitCode.OK
    entry = find(args.subject)
    if entry is not None:
        if is_json:
            write_json({**_summary_json(entry), "page": entry.page_with_addresses}, indent=2)
        else:
            write_line(render_markdown(_wrapped(_page(entry)), palette))
        return ExitCode.OK
    path = _rule_file(args.subject)
    from ttsr_ls.cli.explain.rule import rule_explanation

    explanation = rule_explanation(path)
    if is_json:
        write_json({"path": str(path), "explanation": explanation}, indent=2)
    else:
        write_line(render_markdown(_wrapped(explanation), palette))
    return ExitCode.OK


def _rule_file(name: str) -> Path:
    """The file of a rule that is named by its path, else by its name. Raises `UsageError` if there is none."""
    path = Path(name)
    if name and path.exists():
        return path
    try:
        found = named_rule_file(name, argparse.Namespace(rules=[])) if name else path
    except UsageError:
        found = path
    if not name or not os.path.lexists(found):
        raise UsageError(f"'{name}' is neither a finding code nor a rule{_suggestion(name)}")
    return found


def _wrapped(markdown: str) -> str:
    """Wraps Markdown to the width of the terminal. Without a terminal, returns it unchanged."""
    width = terminal_width(sys.stdout, _WIDTH)
    return markdown if width is None else wrap_lines(markdown, width)


def _summary_json(entry: CatalogueEntry) -> dict[str, str]:
    return {"code": entry.code, "severity": str(entry.severity), "summary": entry.summary, "url": entry.url}


def _page(entry: CatalogueEntry) -> str:
    title, _, rest = entry.page_with_addresses.partition("\n")
    return f"{title}\n\n**{entry.severity}**: {entry.summary}\n{rest}"


def _suggestion(name: str) -> str:
    nearest = nearest_word(name, (entry.code for entry in CATALOGUE))
    return "; run 'ttsr-ls explain' for the list of codes" if nearest is None else f"; did you mean '{nearest}'?"
