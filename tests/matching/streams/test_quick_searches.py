"""Searches in counted steps and the conditions' own matchers find the same spans."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from ttsr_ls.esregex.finality import finality
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.matching.streams.search_limits import OFFLINE, SearchLimits
from ttsr_ls.rules.condition import compile_condition

CONDITIONS = (
    r"\bany\b",
    r"a+(?=b|$)",
    r"(?:a|ab)(?:c|bcd)?",
    r"(a*?)b\1$",
    r"(?m)^(?!\s*#)[^\n]*?\bx\b",
    r"(?<=a)b*",
    r"(?i)FOO(?!_bar)",
    r"[\s\S]*?end\b",
    r"x?$",
)
TEXTS = (
    "an any a",
    "aab",
    "abcd abcd",
    "aaba",
    "# x\ny x",
    "abbb ab",
    "foo_bar Foo_ba",
    "the end ends",
    "",
    "anything any",
)


def places(condition: str, text: str, cuts: int, limits: SearchLimits) -> list[object]:
    """The spans of a stream after each part of a text, and at its end."""
    stream = AutomatonMatcher([compile_condition(condition)], limits).open()
    said: list[object] = []
    size = max(1, len(text) // cuts)
    for start in range(0, len(text), size):
        stream.append(text[start : start + size])
        said += [stream.final_match(0), stream.match_at_end(0)]
    stream.end()
    return [*said, stream.final_match(0), stream.match_at_end(0)]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_quick_searches_find_the_same_spans_as_searches_in_steps(condition: str) -> None:
    assert OFFLINE.quick > 0
    by_steps = replace(OFFLINE, quick=0)
    found = 0
    for text, cuts in product(TEXTS, (1, 3)):
        quick = places(condition, text, cuts, OFFLINE)
        assert quick == places(condition, text, cuts, by_steps), (text, cuts)
        found += any(quick)
    assert found


def test_the_final_form_of_a_condition_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr(finality, "final_form", made.append)
    stream = AutomatonMatcher([compile_condition(r"\bfinal_form_once\w*\b")], OFFLINE).open()
    stream.append("a final_form_once b")
    assert stream.final_match(0) is not None
    assert not made
