"""Whatever a file says, checking it does not raise, places lie inside of it, and fixes do what they promise."""

from __future__ import annotations

from case_files import apply, findings_of
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_texts import rule_texts

from ttsr_ls.lint.catalogue import find
from ttsr_ls.lint.finding import Finding, Safety

PATH = ".omp/rules/rule.md"


@given(rule_texts())
@settings(deadline=None)
def test_any_text_is_checked_and_every_place_lies_inside(text: str) -> None:
    (findings,) = findings_of([(PATH, text)])
    for finding in findings:
        assert find(finding.code) is not None
        assert finding.message.endswith((".", "?"))
        places = [finding.span, *(edit.span for fix in finding.fixes for edit in fix.edits)]
        places += [related.span for related in finding.related if related.path is None]
        assert all(0 <= place.start <= place.end <= len(text) for place in places)


@given(st.text(max_size=300))
@settings(deadline=None)
def test_no_text_makes_it_raise(text: str) -> None:
    findings_of([(PATH, text), (PATH, "---\n" + text), (PATH, f"---\ncondition: {text}\n---\nSay so.\n")])


@given(rule_texts())
@settings(deadline=None)
def test_safe_fixes_remove_what_they_mend(text: str) -> None:
    (findings,) = findings_of([(PATH, text)])
    for finding in findings:
        for fix in finding.fixes:
            if fix.safety is Safety.SAFE:
                (after,) = findings_of([(PATH, apply(text, fix))])
                # What was hidden behind it may come to light, so only the finding itself is counted.
                assert count(finding, after) < count(finding, findings), (finding, apply(text, fix))


def count(finding: Finding, among: tuple[Finding, ...]) -> int:
    return sum((each.code, each.message) == (finding.code, finding.message) for each in among)
