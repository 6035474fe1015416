"""Quick fixes and completion, without a server."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.actions import quick_fixes
from ttsr_ls.ide.analysis import analyse
from ttsr_ls.ide.completion import CompletionKind, complete
from ttsr_ls.ide.documents import Document
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Safety
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import LineIndex, Span

BROKEN = '---\ncondition: "\\d+"\nconditon: x\n---\nno\n'


def document(text: str) -> Document:
    return Document.of("file:///p/.omp/rules/a.md", "/p/.omp/rules/a.md", 1, text)


def test_fixes_are_those_of_the_findings_that_the_range_touches_certain_ones_first() -> None:
    analysis = analyse(document(BROKEN), LintContext())
    everywhere = quick_fixes(analysis, Span(0, len(BROKEN)))
    assert [action.preferred for action in everywhere] == sorted(
        (action.fix.safety is Safety.SAFE for action in everywhere), reverse=True
    )
    assert {action.finding.code for action in everywhere} >= {"illegal-escape", "unknown-key"}
    key = BROKEN.index("conditon")
    assert {action.finding.code for action in quick_fixes(analysis, Span(key + 3, key + 3))} == {"unknown-key"}
    assert quick_fixes(analysis, Span(0, 0)) == ()


def test_a_certain_fix_mends_what_it_was_made_for() -> None:
    analysis = analyse(document(BROKEN), LintContext())
    (action,) = (one for one in quick_fixes(analysis, Span(0, len(BROKEN))) if one.finding.code == "illegal-escape")
    text = BROKEN
    for edit in sorted(action.fix.edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert "illegal-escape" not in {finding.code for finding in analyse(document(text), LintContext()).findings}


def test_the_same_findings_of_another_text_have_another_identity() -> None:
    first, same = analyse(document(BROKEN), LintContext()), analyse(document(BROKEN), LintContext())
    other = analyse(document(BROKEN.replace("no", "No")), LintContext())
    assert first.identity == same.identity
    assert [finding.code for finding in other.findings] == [finding.code for finding in first.findings]
    assert other.identity != first.identity


def offered(text: str, mark: str = "|") -> list[tuple[str, str]]:
    """What is offered at a mark, each as label and the text that it would replace."""
    offset = text.index(mark)
    text = text.replace(mark, "")
    found = complete(read_rule(text, name="a", path="a.md"), LineIndex(text), offset)
    return [(one.label, text[one.span.start : one.span.end]) for one in found]


def test_keys_are_offered_at_the_start_of_a_line_except_those_that_are_there() -> None:
    found = dict(offered("---\ncondition: x\nsco|\n---\n"))
    assert found["scope"] == "sco"
    assert "condition" not in found


def test_the_values_of_a_key_are_offered_behind_it() -> None:
    assert ("prose-only", "pro") in offered("---\ninterruptMode: pro|\n---\n")
    assert offered("---\nenabled: |\n---\n") == [("true", ""), ("false", "")]
    assert offered("---\nalways-apply: f|\n---\n") == [("true", "f"), ("false", "f")]


@pytest.mark.parametrize(
    "text",
    [
        "---\ncondition: a|\n---\n",
        "---\ncondition:\n  - a|\n---\n",
        "---\n---\nbody|\n",
        "no frontmatter|",
        "---\nx: y|\n---\n",
    ],
)
def test_nothing_is_offered_elsewhere(text: str) -> None:
    assert offered(text) == []


def test_a_completion_tells_key_from_value() -> None:
    text = "---\ninterruptMode: \n---\n"
    (first, *_) = complete(read_rule(text, name="a", path="a.md"), LineIndex(text), text.index(" \n") + 1)
    assert first.kind is CompletionKind.VALUE
