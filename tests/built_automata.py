"""Reports the automata that are built while a test runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from ttsr_ls.esregex.automaton.automaton import AnyAutomaton
from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.tree.nodes import Pattern


def notice_builds(monkeypatch: pytest.MonkeyPatch, notice: Callable[[int], object]) -> None:
    """Calls `notice` with the number of patterns of each automaton that is built."""
    build = UnionAutomaton.build

    def noticed(patterns: Sequence[Pattern], limits: Limits) -> AnyAutomaton:
        notice(len(patterns))
        return build(patterns, limits)

    monkeypatch.setattr(UnionAutomaton, "build", noticed)
