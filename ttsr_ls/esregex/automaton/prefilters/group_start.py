"""Starts matching a group of patterns in the middle of a text."""

from __future__ import annotations

from collections.abc import Set

from ttsr_ls.esregex.automaton.dfa.alphabet import Codes
from ttsr_ls.esregex.automaton.dfa.group_runner import GroupRunner
from ttsr_ls.esregex.automaton.dfa.pattern_group import PatternGroup

_NONE: frozenset[int] = frozenset()


def new_runner(group: PatternGroup, known: Set[int], code: int | None, since: int) -> GroupRunner:
    """Returns a runner of a group after a single unit with this code, or, if that is None, before any text."""
    without = group.patterns & known if known else _NONE
    dfa = group.dfa(without)
    table = dfa.initial if code is None else dfa.table_after(code)
    return GroupRunner(group, dfa, table, len(known), since)


def start_runner(
    group: PatternGroup, recent: Codes, start: int, length: int, known: Set[int]
) -> tuple[GroupRunner | None, int] | None:
    """Returns a runner at the first position where a match may start, and that position.

    Positions are indexes into `recent`, the end of a text of this length. `start` is that of `PatternGroup.start`. The
    runner is None if the match may start before `recent` and the group cannot continue from an unknown state. None if
    there can be no such match.
    """
    first = length - len(recent)
    start = max(start, 0)
    if group.is_anchored and start:
        return None
    is_superset = bool(first and not start)
    if is_superset:
        start = 1
    runner = new_runner(group, known, recent[start - 1] if first + start else None, length)
    if is_superset and not runner.restart_with_all_threads(recent[0]):
        return None, start
    return runner, start
