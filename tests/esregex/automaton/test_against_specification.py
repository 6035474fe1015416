"""The automaton reports about every text, split into any deltas, what the exact matchers find in its prefixes."""

from hypothesis import given
from hypothesis import strategies as st

from tests.esregex.automaton.specification import Specification, VerifiedStream, check
from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.property_examples import examples
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.tree.nodes import Pattern


@examples(400)
@given(st.lists(patterns(), min_size=1, max_size=3), st.lists(unit_texts(4), min_size=1, max_size=3))
def test_reports_agree_with_the_specification(sources: list[Pattern], deltas: list[str]) -> None:
    check(UnionAutomaton.build(sources), sources, deltas)


@examples(500)
@given(patterns(), unit_texts(8))
def test_reports_do_not_depend_on_the_split_into_deltas(pattern: Pattern, text: str) -> None:
    specifications = [Specification(pattern)]
    automaton = UnionAutomaton.build([pattern])
    whole, by_unit = VerifiedStream(automaton, specifications), VerifiedStream(automaton, specifications)
    whole.feed(text)
    for unit in text:
        by_unit.feed(unit)
    assert whole.reports == by_unit.reports
