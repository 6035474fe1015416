"""An exponential finding has a witness that was run and blew up; without one, nothing is reported."""

from __future__ import annotations

import pytest

from tests.lint.case_files import findings_of
from ttsr_ls.esregex.analysis.backtracking.ambiguity import AmbiguityGrowth
from ttsr_ls.esregex.analysis.backtracking.backtracking import SlowPattern, judge_backtracking
from ttsr_ls.esregex.analysis.graph.work import WorkBudget
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.lint.checks.regex import backtracking
from ttsr_ls.lint.regex.backtracking_effect import STEPS, find_slow_probe, witness_rounds


def slow(source: str) -> SlowPattern:
    verdict = judge_backtracking(parse(source), WorkBudget())
    assert isinstance(verdict, SlowPattern)
    assert verdict.shape is AmbiguityGrowth.EXPONENTIAL
    return verdict


def codes(source: str) -> list[str]:
    (findings,) = findings_of([("rule.md", f"---\ncondition: '{source}'\n---\nSay so.\n")])
    return [finding.code for finding in findings]


@pytest.mark.parametrize("source", ["(a+)+;", "(?:\\w+\\s?)*!", "^(?:x|x)*y$", "(?:[ab]|b)+c"])
def test_exponential_witness_was_run(source: str) -> None:
    verdict = slow(source)
    rounds = witness_rounds(parse(source), verdict, WorkBudget())
    assert rounds is not None
    with pytest.raises(MatchLimitExceeded):
        BacktrackMatcher(parse(source), STEPS).count_steps(
            verdict.attack.text(rounds), verdict.attack.match_start(rounds)
        )
    assert "exponential-backtracking" in codes(source)


def test_slow_verdict_without_a_slow_run_is_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict whose text another pattern reads quickly: the run decides, and not the verdict."""
    verdict = slow("(a+)+;")
    assert witness_rounds(parse("nothing"), verdict, WorkBudget()) is None
    monkeypatch.setattr(backtracking, "judge_backtracking", lambda pattern, work: verdict)
    assert codes("(?:nothing)+ of the kind") == []


def test_find_slow_probe_returns_an_ordinary_text() -> None:
    assert find_slow_probe(parse("(?:[a-z]+|[0-9]+)*;"), WorkBudget()) == "a"
    assert find_slow_probe(parse("(?:foo|bar|baz)[a-z]*;"), WorkBudget()) is None
