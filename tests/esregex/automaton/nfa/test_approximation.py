"""Inexpressible patterns are approximated with few items."""

from ttsr_ls.esregex.automaton.nfa.approximation import Exactness, add_pattern
from ttsr_ls.esregex.automaton.nfa.limits import SpareWork
from ttsr_ls.esregex.automaton.nfa.nfa_graph import NfaGraph, NfaGroup, StateGrowth, UnitSets
from ttsr_ls.esregex.parse.parser import parse


def items_of(source: str) -> int:
    graph = NfaGraph(UnitSets(), NfaGroup(StateGrowth.COUNTING, looks_allowed=False))
    assert add_pattern(graph, parse(source), 0, 10_000, SpareWork(100_000)) == Exactness.SAME_ENDS
    return len(graph.labels)


def test_consecutive_references_to_a_loop_make_one_loop() -> None:
    assert items_of(r"(a*)" + r"\1" * 300) == items_of(r"(a*)\1")
    assert items_of(r"(a*)(b*)\1\2\1") > items_of(r"(a*)(b*)\1\2")


def test_an_approximation_of_the_same_size_is_not_tried() -> None:
    graph = NfaGraph(UnitSets(), NfaGroup(StateGrowth.CALM, looks_allowed=False))
    spare = SpareWork(100_000)
    assert add_pattern(graph, parse("x(?:" + "(?:a|b?c?)?" * 300 + ")*b"), 0, 10_000, spare) is Exactness.OUTSIDE
    assert spare.left > 50_000, "a second attempt took work"
