"""The automaton reports about every text, split into any deltas, what the exact matchers find in its prefixes."""

from hypothesis import given
from hypothesis import strategies as st

from tests.esregex.automaton.specification import Specification, check
from tests.esregex.pattern_strategies import patterns, unit_texts
from tests.property_examples import examples
from ttsr_ls.esregex.automaton.union import UnionAutomaton
from ttsr_ls.esregex.tree.nodes import Pattern


@examples(400)
@given(st.lists(patterns(), min_size=1, max_size=3), st.lists(unit_texts(4), min_size=1, max_size=3))
def test_reports_agree_with_the_specification_however_the_text_is_split(
    sources: list[Pattern], deltas: list[str]
) -> None:
    automaton, specifications = UnionAutomaton.build(sources), [Specification(pattern) for pattern in sources]
    text = "".join(deltas)
    for split in (deltas, [text], list(text)):
        check(automaton, sources, split, specifications)
