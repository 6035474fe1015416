"""Checking any file raises nothing, all spans lie inside the file, and each fix removes its finding."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lint.case_files import apply, findings_of
from tests.lint.demonstrations import published
from tests.lint.rule_texts import WRITTEN, rule_texts
from ttsr_ls.lint.catalogue import find
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.fixes.fixed_file import REVEALING

PATH = ".omp/rules/rule.md"
UNREAD = REVEALING | {"invalid-interrupt-mode"}
"""Fixing findings with these codes may reveal findings of text that was not read before."""


@given(rule_texts())
@settings(deadline=None)
def test_any_text_is_checked_and_every_span_lies_inside_it(text: str) -> None:
    (findings,) = findings_of([(PATH, text)])
    for finding in findings:
        assert find(finding.code) is not None
        assert finding.message.endswith((".", "?"))
        places = [finding.span, *(edit.span for fix in finding.fixes for edit in fix.edits)]
        places += [related.span for related in finding.related if related.path is None]
        assert all(0 <= place.start <= place.end <= len(text) for place in places)


@given(st.text(max_size=300))
@settings(deadline=None)
def test_read_case_file_never_raises(text: str) -> None:
    findings_of([(PATH, text), (PATH, "---\n" + text), (PATH, f"---\ncondition: {text}\n---\nSay so.\n")])


@given(rule_texts())
@settings(deadline=None)
def test_each_fix_alone_removes_its_finding(text: str) -> None:
    assert_each_fix_removes_its_finding(PATH, text)


def test_each_fix_of_the_case_rules_removes_its_finding_and_adds_none() -> None:
    rules = [(PATH, text) for text in WRITTEN] + [(rule.path, rule.text) for rule in published()]
    assert sum(assert_each_fix_removes_its_finding(path, text) for path, text in rules) > 200
    for path, text in rules:
        findings = check(path, text)
        for finding in findings:
            for fix in finding.fixes if finding.code not in UNREAD else ():
                after = check(path, apply(text, fix))
                had, has = (Counter(finding.code for finding in among) for among in (findings, after))
                assert not has - had, (finding, apply(text, fix))


@lru_cache(10_000)
def check(path: str, text: str) -> tuple[Finding, ...]:
    (findings,) = findings_of([(path, text)])
    return findings


def assert_each_fix_removes_its_finding(path: str, text: str) -> int:
    """How many fixes there are."""
    findings = check(path, text)
    fixes = [(finding, fix) for finding in findings for fix in finding.fixes]
    for finding, fix in fixes:
        after = check(path, apply(text, fix))
        # What was hidden behind it may come to light, so only the finding itself is counted.
        assert count(finding, after) < count(finding, findings), (finding, apply(text, fix))
    return len(fixes)


def count(finding: Finding, among: tuple[Finding, ...]) -> int:
    """How many of the findings are this one. YAML fails at one line at a time, perhaps each for the same reason."""
    return sum(
        (each_finding.code, each_finding.message) == (finding.code, finding.message)
        and (each_finding.code != "yaml-degraded" or each_finding.span.start <= finding.span.start)
        for each_finding in among
    )


def test_fixing_one_invalid_line_reveals_the_next_one() -> None:
    text = "---\ncondition:\n  - >-\n    foo\n  -condition |\n ---   baz\n  - one\nscope: text\n---\nSay so.\n"
    assert assert_each_fix_removes_its_finding(PATH, text) == 1
    (findings,) = findings_of([(PATH, text)])
    (after,) = findings_of([(PATH, apply(text, findings[0].fixes[0]))])
    assert [(finding.code, finding.message) for finding in after] == [(findings[0].code, findings[0].message)]
    assert after[0].span.start > findings[0].span.end
