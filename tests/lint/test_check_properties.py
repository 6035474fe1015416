"""Checking any file raises nothing, all spans lie inside the file, and each fix removes its finding."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lint.case_files import apply, findings_of
from tests.lint.fixes.fix_promises import PATH, assert_each_fix_removes_its_finding
from tests.lint.rule_texts import rule_texts
from ttsr_ls.lint.catalogue import find


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


def test_fixing_one_invalid_line_reveals_the_next_one() -> None:
    text = "---\ncondition:\n  - >-\n    foo\n  -condition |\n ---   baz\n  - one\nscope: text\n---\nSay so.\n"
    assert assert_each_fix_removes_its_finding(PATH, text) == 1
    (findings,) = findings_of([(PATH, text)])
    (after,) = findings_of([(PATH, apply(text, findings[0].fixes[0]))])
    assert [(finding.code, finding.message) for finding in after] == [(findings[0].code, findings[0].message)]
    assert after[0].span.start > findings[0].span.end
