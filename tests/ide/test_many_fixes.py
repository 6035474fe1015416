"""Fixing many findings at once, and silencing them."""

from __future__ import annotations

import pytest
from msgspec import Struct

from tests.counted_calls import count_calls
from tests.ide.test_actions import document
from ttsr_ls.ide.actions.fix_all import FixesOfCode, all_safe_fixes, fixes_by_code
from ttsr_ls.ide.actions.suppressing import ignore_code_edit, suppression_edit
from ttsr_ls.ide.analysis import Analysis, analyse
from ttsr_ls.ide.documents import Document
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.lint.fixes.fixed_file import apply_edits
from ttsr_ls.text import Span

BROKEN = '---\ncondition:\n  - "\\d+x"\n  - "\\w+y"\ndescripton: x\ninterupt-mode: always\nscope: prose\n---\nno\n'


class FileFindings(Struct, frozen=True):
    document: Document
    findings: tuple[Finding, ...]


def analysed(text: str) -> Analysis:
    return analyse(document(text), LintContext())


def test_all_safe_fixes_leave_nothing_that_can_be_fixed_safely() -> None:
    edit = all_safe_fixes(analysed(BROKEN))
    assert edit is not None
    fixed_text = apply_edits(BROKEN, (edit,))
    assert "'\\d+x'" in fixed_text
    assert "descripton" in fixed_text, "a guess is not made"
    assert all_safe_fixes(analysed(fixed_text)) is None


def test_all_findings_of_a_code_are_fixed_together() -> None:
    analysis = analysed(BROKEN)
    (code,) = fixes_by_code(analysis, Span(BROKEN.index("descripton"), BROKEN.index("descripton")))
    assert (code.code, code.count) == ("unknown-key", 2)
    assert "unknown-key" not in {finding.code for finding in analysed(apply_edits(BROKEN, code.edits)).findings}


def test_neighbouring_lines_are_removed_together() -> None:
    text = "---\ncondition:\n  - 'a'\n  - 'a'\n  - 'a'\n  - 'a'\n---\nno\n"
    (code,) = fixes_by_code(analysed(text), Span(0, len(text)))
    assert (code.code, code.count) == ("redundant-condition", 3)
    assert apply_edits(text, code.edits) == "---\ncondition:\n  - 'a'\n---\nno\n"


def test_fixes_of_a_code_omit_overlapping_edits() -> None:
    def edits_at(*spans: tuple[int, int]) -> Finding:
        fix = Fix("Fix it", tuple(Edit(Span(*span), "x") for span in spans), Safety.SAFE)
        return Finding("unknown-key", Severity.WARNING, "It is wrong.", Span(0, 1), (fix,))

    spans = [((10, 12),), ((4, 6), (20, 22)), ((12, 14),), ((6, 6),), ((22, 30),), ((0, 3), (15, 16)), ((8, 11),)]
    analysis = FileFindings(document(BROKEN), tuple(edits_at(*several) for several in spans))
    (code,) = fixes_by_code(analysis, Span(0, 1))
    assert code.count == 5
    expected = [(0, 3), (4, 6), (10, 12), (12, 14), (15, 16), (20, 22), (22, 30)]
    assert [(edit.span.start, edit.span.end) for edit in code.edits] == expected, "not (6, 6) and (8, 11)"


def test_fixes_of_a_code_write_no_scope_token_twice() -> None:
    text = "---\ncondition: a\nscope: [prose, assistant, cot]\n---\nno\n"
    (code,) = fixes_by_code(analysed(text), Span(0, len(text)))
    assert (code.code, code.count) == ("bare-word-tool", 2)
    assert "scope: [text, assistant, thinking]" in apply_edits(text, code.edits)


def test_fixes_of_a_code_are_collected_in_few_steps() -> None:
    count = 1_000
    conditions = "".join(f"  - '.*x{number}'\n" for number in range(count))
    analysis = analysed(f"---\ncondition:\n{conditions}---\nno\n")
    found: list[FixesOfCode] = []
    calls = count_calls(lambda: found.extend(fixes_by_code(analysis, Span(0, len(analysis.document.text)))))
    assert max(fixes.count for fixes in found) > 900
    assert calls < 100 * count, "500 for each fix when it was compared with all others"


@pytest.mark.parametrize("code", ["unknown-key", "bare-word-tool"])
def test_a_comment_silences_one_finding_and_nothing_else(code: str) -> None:
    analysis = analysed(BROKEN)
    finding = next(finding for finding in analysis.findings if finding.code == code)
    edit = suppression_edit(analysis, finding)
    assert edit is not None
    after = [finding.code for finding in analysed(apply_edits(BROKEN, (edit,))).findings]
    assert sorted([*after, code]) == sorted(finding.code for finding in analysis.findings)


@pytest.mark.parametrize(
    ("text", "is_pyproject", "expected"),
    [
        ("", False, 'ignore = ["x"]\n'),
        ('ignore = ["a"]\n', False, 'ignore = ["x", "a"]\n'),
        ("ignore = []\n", False, 'ignore = ["x"]\n'),
        ('[severity]\na = "error"\n', False, 'ignore = ["x"]\n[severity]\na = "error"\n'),
        ('[[overrides]]\nignore = ["a"]\n', False, 'ignore = ["x"]\n[[overrides]]\nignore = ["a"]\n'),
        ("[project]\n[tool.ttsr-ls]\n", True, '[project]\n[tool.ttsr-ls]\nignore = ["x"]\n'),
        ("[tool.ttsr-ls]\nignore = ['a']\n[b]\n", True, "[tool.ttsr-ls]\nignore = [\"x\", 'a']\n[b]\n"),
        ("[project]\n", True, None),
    ],
)
def test_a_configuration_ignores_a_code(text: str, is_pyproject: bool, expected: str | None) -> None:
    edit = ignore_code_edit(text, "x", is_pyproject=is_pyproject)
    assert (None if edit is None else apply_edits(text, (edit,))) == expected
