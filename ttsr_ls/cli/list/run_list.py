"""Runs `list`: prints the rules that apply in the current folder, and the reasons of the others."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.list.as_json import active_rules_json, rule_json
from ttsr_ls.cli.list.rule_status import ListedRule, list_rules
from ttsr_ls.cli.loading_notes import print_notes, print_replaced_lists
from ttsr_ls.cli.named_folders import named_folders
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import is_quiet, write_json, write_line
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line, palette_for
from ttsr_ls.ide.shown_path import shown_path
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.folders_above import rule_folders_above
from ttsr_ls.store.discovery.local_rules import rules_at
from ttsr_ls.syntax.dialects.locations import AGENTS_RULES
from ttsr_ls.syntax.dialects.table import DialectId

_NONE = (
    "No rules here. Rules are Markdown files in .omp/rules, .agents/rules and more: `ttsr-ls explain not-discovered` "
    "names all places, and `ttsr-ls new NAME` creates a rule."
)


def run_list(args: argparse.Namespace) -> int:
    """Lists. A file that cannot be read is reported and does not stop the others."""
    place = AgentEnvironment.here()
    here = rules_at(place, named_folders(args))
    every = list_rules(here, str(place.cwd))
    if args.format == "json":
        shown = [rule_json(rule) for rule in every] if args.all else active_rules_json(every)
        write_json(shown, indent=2)
    else:
        if not every:
            write_line("No rule here can be read." if here.unreadable else _NONE)
        elif args.all:
            _print_all(every, palette_for(sys.stdout), str(place.cwd))
        else:
            _print_effective(every, palette_for(sys.stdout))
        if not is_quiet():
            _print_folders_above(place)
    print_notes(here)
    print_replaced_lists(here)
    return ExitCode.USAGE if here.unreadable else ExitCode.OK


def _print_effective(every: Sequence[ListedRule], palette: Palette) -> None:
    effective = [each for each in every if each.standing.has_effect]
    hidden = len(every) - len(effective)
    if effective:
        head, *lines = _lines(effective)
        write_line(palette.paint(head, TextStyle.STRONG))
        write_line("\n".join(lines))
    else:
        write_line("No rule here has an effect.")
    if hidden and not is_quiet():
        more = "1 more rule has" if hidden == 1 else f"{hidden} more rules have"
        write_line(palette.paint(f"{more} no effect; ttsr-ls list --all says why.", TextStyle.FAINT))


def _print_all(every: Sequence[ListedRule], palette: Palette, folder: str) -> None:
    head, *lines = _lines(every)
    write_line(palette.paint(head, TextStyle.STRONG))
    for line, each in zip(lines, every, strict=True):
        write_line(line)
        path = one_line(shown_path(str(each.rule.found.path), folder))
        write_line(palette.paint(f"    {path}, of the {each.rule.found.level}", TextStyle.FAINT))


def _print_folders_above(place: AgentEnvironment) -> None:
    """Names the rule folders above, which have no effect here, and how they would have one."""
    for above in rule_folders_above(place):
        write_line(
            one_line(
                f"{above.rules} has {count(above.files, 'rule file')} that an agent here does not read: the folder "
                f"counts only for an agent that is started in {above.start}. Start it there, or move the files to "
                f"{above.start}/{AGENTS_RULES.path}, which also counts in the folders below."
            )
        )


def _lines(rules: Sequence[ListedRule]) -> list[str]:
    """The table of the rules, its head first."""
    rows = [("NAME", "BUCKET", "PROVIDER", "WHY"), *(_row(each) for each in rules)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        "  ".join([*(f"{cell:<{width}}" for cell, width in zip(row[:3], widths, strict=True)), row[3]]).rstrip()
        for row in rows
    ]


def _row(each: ListedRule) -> tuple[str, str, str, str]:
    provider = each.rule.found.provider
    dialect = each.rule.profile.id
    # Where the place does not tell the dialect, it has to be said.
    if dialect is not DialectId.OMP and provider != dialect:
        provider = f"{provider} ({dialect})"
    return one_line(each.rule.found.name), str(each.standing), provider, one_line(each.why)
