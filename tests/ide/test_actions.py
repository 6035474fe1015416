"""Quick fixes and completion, without a server."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.actions.quick_fixes import fix_title, quick_fixes
from ttsr_ls.ide.analysis import analyse
from ttsr_ls.ide.documents import Document
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.fixes.fixed_file import apply_edits
from ttsr_ls.text import Span

BROKEN = '---\ncondition: "\\d+"\nconditon: x\n---\nno\n'


def document(text: str) -> Document:
    return Document.of("file:///p/.omp/rules/a.md", "/p/.omp/rules/a.md", 1, text)


def test_quick_fixes_of_a_range_are_in_the_order_of_the_text() -> None:
    analysis = analyse(document(BROKEN), LintContext())
    everywhere = quick_fixes(analysis, Span(0, len(BROKEN)))
    starts = [action.finding.span.start for action in everywhere]
    assert starts == sorted(starts)
    assert {action.finding.code for action in everywhere} >= {"illegal-escape", "unknown-key"}
    key = BROKEN.index("conditon")
    assert {action.finding.code for action in quick_fixes(analysis, Span(key + 3, key + 3))} == {"unknown-key"}
    assert quick_fixes(analysis, Span(0, 0)) == ()


def test_the_title_of_a_fix_says_what_changes() -> None:
    text = "---\ncondition: foo\nscope: tool:edti(*.ts), tool:wirte(*.ts), prose\ndescripton: x\n---\nno\n"
    actions = quick_fixes(analyse(document(text), LintContext()), Span(0, len(text)))
    titles = [fix_title(action.fix, text) for action in actions]
    shown = [title.rpartition(": ")[2] for title in titles if "->" in title]
    assert shown == ["`edti` -> `edit`", "`wirte` -> `write`", "`prose` -> `text`", "`descripton` -> `description`"]


def test_a_safe_fix_removes_its_finding() -> None:
    analysis = analyse(document(BROKEN), LintContext())
    (action,) = (one for one in quick_fixes(analysis, Span(0, len(BROKEN))) if one.finding.code == "illegal-escape")
    text = BROKEN
    for edit in sorted(action.fix.edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert "illegal-escape" not in {finding.code for finding in analyse(document(text), LintContext()).findings}


@pytest.mark.parametrize("condition", ["'foo(bar", "'ab[c", '"\\d+ (', "'(?:a|b"])
def test_the_first_fix_of_an_open_quote_gives_a_condition_that_compiles(condition: str) -> None:
    text = f"---\ncondition: {condition}\nscope: text\n---\nno\n"
    first, *_ = (
        fix
        for fix in quick_fixes(analyse(document(text), LintContext()), Span(0, len(text)))
        if fix.finding.code == "yaml-degraded"
    )
    analysis = analyse(document(apply_edits(text, first.fix.edits)), LintContext())
    assert not {finding.code for finding in analysis.findings} & {"yaml-degraded", "regex-does-not-compile"}


def test_the_same_findings_of_another_text_have_another_identity() -> None:
    first, same = analyse(document(BROKEN), LintContext()), analyse(document(BROKEN), LintContext())
    other = analyse(document(BROKEN.replace("no", "No")), LintContext())
    assert first.identity == same.identity
    assert [finding.code for finding in other.findings] == [finding.code for finding in first.findings]
    assert other.identity != first.identity
