"""Answers of judges, in the requested form and in others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.rule_files import registration_of, rule_set_of
from ttsr_ls.features.judge.answers import judgement

RULES = rule_set_of(*(registration_of("question: Q?", name) for name in "abc")).rules


def broken(answer: str) -> list[tuple[str, float]]:
    return [(verdict.rule.name, verdict.probability) for verdict in judgement(RULES, answer).broken]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ('{"1": 0.9, "2": 0.2, "3": 0.7}', [("a", 0.9), ("c", 0.7)]),
        ('{"1": 0.699999}', []),
        ('{"1": 1, "2": 0}', [("a", 1.0)]),
        ('```json\n{"2": 0.8}\n```', [("b", 0.8)]),
        ('I think {that} the answer is {"2": 0.8}, or [1, 1, 1].', [("b", 0.8)]),
        ("[0.9, 0, 0.8]", [("a", 0.9), ("c", 0.8)]),
        ('{"answers": {"3": 0.9}}', [("c", 0.9)]),
        ('{"answers": [{"question": 3, "probability": 0.9}]}', [("c", 0.9)]),
        ('[{"id": "2", "score": 0.9, "reason": "so"}]', [("b", 0.9)]),
        ('[{"score": 0.1}, {"score": 0.9}]', [("b", 0.9)]),
        ('{"1": {"probability": 0.9, "reason": "so"}}', [("a", 0.9)]),
        ('{"1": "0.9", "2": "yes", "3": "No"}', [("a", 0.9), ("b", 1.0)]),
        ('{"1": true, "2": false}', [("a", 1.0)]),
        ('{"1": 0.9, "1": 0.1}', []),
        ('{"4": 1, "0": 1, "-1": 1}', []),
        ('{"1": 90, "2": -1, "3": 1.01}', []),
        ('{"1": NaN, "2": Infinity, "3": null}', []),
        ('{"1": [1], "2": {"x": 1}}', []),
        ('{"1": 0.9', []),
        ("yes", []),
        ("", []),
        ("null", []),
        ("0.9", []),
        ('{"99999999999999999999": 1}', []),
        ("[" * 100_000, []),
        ('{"x":' * 20_000, []),
        ("{" * 49 + '{"1": 1}', [("a", 1.0)]),
        ("{" * 50 + '{"1": 1}', []),
        (" " * 50_000 + '{"1": 1}', []),
    ],
)
def test_answers_of_judges_are_read_in_several_forms(answer: str, found: list[tuple[str, float]]) -> None:
    assert broken(answer) == found


@given(st.text(st.sampled_from('{}[]":,0.19yes \n')))
def test_any_text_gives_only_valid_verdicts(answer: str) -> None:
    for name, probability in broken(answer):
        assert name in "abc"
        assert 0.7 <= probability <= 1
