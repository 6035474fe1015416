"""Runs `list`: prints the rules that apply in the current folder, and the reasons of the others."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.list.as_json import active_rules_json, rule_json
from ttsr_ls.cli.list.other_dialects import rule_files_of_others
from ttsr_ls.cli.list.rule_status import ListedRule, list_rules
from ttsr_ls.cli.loading_notes import print_notes, print_replaced_lists
from ttsr_ls.cli.named_folders import named_folders
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.folder_above_text import folder_above_advice, folder_above_problem
from ttsr_ls.cli.printing.output import is_quiet, write_json, write_line
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line, palette_for
from ttsr_ls.ide.shown_path import shown_path
from ttsr_ls.isolation.pattern_shapes import PatternShapeCache
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.folders_above import rule_folders_above
from ttsr_ls.store.discovery.local_rules import rules_at
from ttsr_ls.syntax.dialects.table import DialectId

_NO_RULES = (
    "No rules here. Rules are Markdown files in .omp/rules, .agents/rules and more: `ttsr-ls explain not-discovered` "
    "lists all rule folders, and `ttsr-ls new NAME` creates a rule."
)
_HEAD = ("NAME", "BUCKET", "PROVIDER", "WHY")


def run_list(args: argparse.Namespace) -> int:
    """Lists the rules. A file that cannot be read is reported and does not stop the others."""
    environment = AgentEnvironment.current()
    rules = rules_at(environment, named_folders(args))
    if args.format == "json" and not args.all:
        # No field of this output says whether a condition can match.
        listed_rules = list_rules(rules, str(environment.cwd))
    else:
        with PatternShapeCache() as patterns:
            listed_rules = list_rules(rules, str(environment.cwd), patterns)
    if args.format == "json":
        items = [rule_json(rule) for rule in listed_rules] if args.all else active_rules_json(listed_rules)
        write_json(items, indent=2)
    else:
        if not listed_rules and rules.unreadable:
            write_line("No rule here can be read.")
        elif not listed_rules:
            write_line(_NO_RULES)
            if not is_quiet():
                _print_rules_of_others(environment)
        elif args.all:
            _print_all(listed_rules, palette_for(sys.stdout), str(environment.cwd))
        else:
            _print_effective(listed_rules, palette_for(sys.stdout))
        if not is_quiet():
            _print_folders_above(environment)
    print_notes(rules)
    print_replaced_lists(rules)
    return ExitCode.USAGE if rules.unreadable else ExitCode.OK


def _print_rules_of_others(environment: AgentEnvironment) -> None:
    """Prints which commands work with the rules that only other programs read."""
    paths = rule_files_of_others(environment.cwd)
    if paths:
        shown = one_line(shown_path(str(paths[0]), str(environment.cwd)))
        write_line(
            f"Other programs read {count(len(paths), 'rule file')} here, such as {shown}. `ttsr-ls check` lints them, "
            "and `ttsr-ls convert FILE --to omp` translates them to rules that are listed."
        )


def _print_effective(listed_rules: Sequence[ListedRule], palette: Palette) -> None:
    effective = [rule for rule in listed_rules if rule.status.has_effect]
    hidden = len(listed_rules) - len(effective)
    if effective:
        head, *lines = _lines(effective)
        write_line(palette.paint(head, TextStyle.STRONG))
        write_line("\n".join(lines))
    else:
        write_line("No rule here has an effect.")
    if hidden and not is_quiet():
        details = "1 more rule has" if hidden == 1 else f"{hidden} more rules have"
        write_line(palette.paint(f"{details} no effect; ttsr-ls list --all says why.", TextStyle.FAINT))


def _print_all(listed_rules: Sequence[ListedRule], palette: Palette, folder: str) -> None:
    head, *lines = _lines(listed_rules)
    write_line(palette.paint(head, TextStyle.STRONG))
    for line, rule in zip(lines, listed_rules, strict=True):
        write_line(line)
        path = one_line(shown_path(str(rule.rule.found.path), folder))
        write_line(palette.paint(f"    {path}, of the {rule.rule.found.level}", TextStyle.FAINT))


def _print_folders_above(environment: AgentEnvironment) -> None:
    """Prints the rule folders above, which have no effect here, and the remedy."""
    for above in rule_folders_above(environment):
        write_line(one_line(f"{folder_above_problem(above)} {folder_above_advice(above)}"))


def _lines(rules: Sequence[ListedRule]) -> list[str]:
    """The table of the rules, its head first."""
    rows = [_HEAD, *(_row(rule) for rule in rules)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(rule: ListedRule) -> tuple[str, ...]:
    """The cells of a rule, one for each column of `_HEAD`."""
    provider = rule.rule.found.provider
    dialect = rule.rule.profile.id
    # Not every provider has the name of the dialect that its rules are in.
    if dialect is not DialectId.OMP and provider != dialect:
        provider = f"{provider} ({dialect})"
    return one_line(rule.rule.found.name), str(rule.status), provider, one_line(rule.why)
