"""Hostile files are checked in bounded work: one slow condition is waited for once, and findings grow with the text."""

from __future__ import annotations

import pytest

from tests.lint.case_files import findings_of
from ttsr_ls.lint.checks.regex import end_sensitive
from ttsr_ls.lint.regex.counterexample import find_counterexample


def found(entries: str) -> list[str]:
    (findings,) = findings_of([("rule.md", f"---\n{entries}---\nSay so.\n")])
    return [finding.code for finding in findings]


def test_checks_stop_after_one_slow_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    def counted(condition: object, undecided: object) -> object:
        searched.append(condition.source)  # type: ignore[attr-defined]
        return find_counterexample(condition, undecided)  # type: ignore[arg-type]

    monkeypatch.setattr(end_sensitive, "find_counterexample", counted)
    slow = [f"^(?:x|x){{60}}(?:y{number})?\\b$" for number in range(20)]
    codes = found("condition:\n" + "".join(f"  - '{source}'\n" for source in slow))
    assert "end-sensitive-condition" not in codes
    assert searched == slow[:1]


def test_end_sensitive_findings_are_limited() -> None:
    conditions = "".join(f"  - 'a{number}(?!b)'\n" for number in range(400))
    assert found(f"condition:\n{conditions}") == ["end-sensitive-condition"] * 200


def test_early_words_are_reported_once_per_rule() -> None:
    conditions = "".join(f"  - '(?:any|a{number})\\b'\n" for number in range(400))
    assert found(f"condition:\n{conditions}") == ["end-sensitive-condition"]


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        ("name: x\n", "duplicate-key"),
        ("zebra{}: x\n", "unknown-key"),
    ],
)
def test_many_findings_are_all_reported(entries: str, code: str) -> None:
    text = "".join(entries.format(number) for number in range(1000)) + "condition: a\n"
    assert found(text).count(code) >= 999


def test_many_repeated_conditions_are_all_reported() -> None:
    assert found("condition:\n" + "  - foo\n" * 1000) == ["redundant-condition"] * 999
