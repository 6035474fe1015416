"""Fixtures for tests of thousands of sessions with the same rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from ttsr_ls.esregex.automaton.nfa.limits import Limits
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.tree.nodes import Pattern


@pytest.fixture(scope="module")
def shared_automata() -> Iterator[None]:
    """Lets all sessions use the same automaton of the same conditions."""
    built: dict[object, tuple[Sequence[Pattern], UnionAutomaton]] = {}
    build = UnionAutomaton.build

    def built_once(patterns: Sequence[Pattern], limits: Limits | None = None) -> UnionAutomaton:
        key = (limits, *map(id, patterns))
        if key not in built:
            built[key] = patterns, build(patterns, limits)
        return built[key][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(UnionAutomaton, "build", staticmethod(built_once))
        yield
