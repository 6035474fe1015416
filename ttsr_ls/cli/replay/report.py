"""Prints the report of `replay`: each rule with its number of triggers and examples, or all of it as JSON."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ttsr_ls.bridge.watch.session_replay import ReplayedTrigger
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import is_quiet, write_json, write_line
from ttsr_ls.cli.printing.rule_labels import rule_labels
from ttsr_ls.cli.printing.terminal import TextStyle, one_line, palette_for
from ttsr_ls.cli.replay.idle_rules import IdleRule
from ttsr_ls.cli.replay.replaying import ReplayedFile
from ttsr_ls.store.files.existence import exists
from ttsr_ls.text import truncate

_MAX_LENGTH = 70
_MAX_FILES = 10
"""How many files with unreadable lines are named."""
_MAX_IDLE = 8
"""How many rules that cannot fire are named."""


class Comparison(Struct, frozen=True):
    """The same files with the rules of a revision."""

    revision: str
    results: list[ReplayedFile]


def print_report(
    results: list[ReplayedFile],
    before: Comparison | None,
    examples: int,
    duplicates: int = 0,
    idle: Sequence[IdleRule] = (),
) -> None:
    """Prints the report as text.

    `duplicates` is how many session logs were left out, `idle` are rules that cannot fire.
    """
    palette = palette_for(sys.stdout)
    counts = Counter(map(_rule_of, _triggers(results)))
    earlier = None if before is None else Counter(map(_rule_of, _triggers(before.results)))
    rules = sorted(set(counts) | set(earlier or ()), key=lambda rule: (-counts[rule], rule))
    for rule, label in zip(rules, rule_labels(rules), strict=True):
        replayed_sessions = [result.session for result in results if result.session]
        sessions = sum(rule in map(_rule_of, session.triggers) for session in replayed_sessions)
        change = ""
        if earlier is not None and before is not None:
            change = f"  ({counts[rule] - earlier[rule]:+d} against {one_line(before.revision)})"
        head = palette.paint(f"{counts[rule]:>6} × {one_line(label)}", TextStyle.STRONG)
        write_line(f"{head} in {count(sessions, 'session')}{change}")
        for line in _examples(results, rule, examples):
            write_line(palette.paint(f"         {line}", TextStyle.FAINT))
    for result in results:
        if result.session is None:
            write_line(f"{one_line(str(result.path))}: not replayed: {one_line(result.problem)}")
    if is_quiet():
        return
    read_sessions = [result.session for result in results if result.session]
    size = sum(session.size for session in read_sessions)
    shown_size = f"{size / 1_000_000:.1f} MB" if size >= 100_000 else f"{size / 1_000:.0f} kB"
    totals = f"{count(sum(counts.values()), 'trigger')} of {count(len(counts), 'rule')}" if counts else "No triggers"
    write_line(palette.paint(f"{totals} in {count(len(read_sessions), 'session')}, {shown_size}.", TextStyle.STRONG))
    # A session in a database is no file, so `watch` cannot read it.
    lines = sum(result.session.skipped for result in results if result.session and exists(result.path))
    values = sum(session.skipped for session in read_sessions) - lines
    if lines:
        write_line(f"{count(lines, 'line')} could not be read in full; `ttsr-ls watch FILE` shows which:")
        _name_files([result for result in results if exists(result.path)])
    if values:
        write_line(f"{count(values, 'stored value')} could not be read:")
        _name_files([result for result in results if not exists(result.path)])
    if duplicates:
        write_line(
            f"{count(duplicates, 'session log')} left out, so that each session counts once:"
            " the agent kept the session, or a larger log has it."
        )
    if idle:
        names = ", ".join(one_line(rule.label) for rule in idle[:_MAX_IDLE])
        more = f", and {len(idle) - _MAX_IDLE} more" if len(idle) > _MAX_IDLE else ""
        cannot = "rule cannot fire here" if len(idle) == 1 else "rules cannot fire here"
        write_line(f"{len(idle)} {cannot}: {names}{more}. `ttsr-ls list --all` and `replay --json` name the reasons.")


def _name_files(results: list[ReplayedFile]) -> None:
    """Prints the files with the most unreadable lines."""
    found = [(result.session.skipped, result.path) for result in results if result.session and result.session.skipped]
    for skipped, path in sorted(found, key=lambda each: -each[0])[:_MAX_FILES]:
        write_line(f"{skipped:>6} in {one_line(str(path))}")
    if len(found) > _MAX_FILES:
        write_line(f"       and in {len(found) - _MAX_FILES} more; --json names all")


def print_json(
    results: list[ReplayedFile],
    before: Comparison | None,
    duplicates: Iterable[Path] = (),
    idle: Iterable[IdleRule] = (),
) -> None:
    """Prints the report as JSON. `duplicates` are left out session logs, `idle` are rules that cannot fire."""
    value: dict[str, object] = {"counts": dict(_counts(results))}
    if before is not None:
        value["countsBefore"] = dict(_counts(before.results))
    value["sessions"] = [_session(result) for result in results]
    value["duplicates"] = sorted(map(str, duplicates))
    value["idleRules"] = [
        {"name": rule.name, "path": rule.path, "bucket": rule.bucket, "why": rule.why} for rule in idle
    ]
    write_json(value, indent=2)


def _session(result: ReplayedFile) -> dict[str, object]:
    session = result.session
    return {
        "path": str(result.path),
        "problem": result.problem or None,
        "skippedLines": None if session is None else session.skipped,
        "triggers": [] if session is None else [_trigger(trigger) for trigger in session.triggers],
    }


def _trigger(trigger: ReplayedTrigger) -> dict[str, object]:
    return {name: getattr(trigger, name) for name in trigger.__struct_fields__}


def _triggers(results: list[ReplayedFile]) -> Iterator[ReplayedTrigger]:
    return (trigger for result in results if result.session for trigger in result.session.triggers)


def _rule_of(trigger: ReplayedTrigger) -> tuple[str, str]:
    return trigger.rule, trigger.dialect


def _counts(results: list[ReplayedFile]) -> Counter[str]:
    return Counter(trigger.rule for trigger in _triggers(results))


def _examples(results: list[ReplayedFile], rule: tuple[str, str], limit: int) -> list[str]:
    examples = (
        (result.path, trigger)
        for result in results
        if result.session
        for trigger in result.session.triggers
        if _rule_of(trigger) == rule
    )
    labels = []
    for (path, trigger), _ in zip(examples, range(limit), strict=False):
        place = f"{trigger.stream} of {one_line(trigger.path)}" if trigger.path else trigger.stream
        match = truncate(one_line(" ".join(trigger.excerpt.split())), _MAX_LENGTH)
        labels.append(f"{one_line(path.name)}, {trigger.turn}: {place}: »{match}«")
    return labels
