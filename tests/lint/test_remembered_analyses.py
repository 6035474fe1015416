"""At a keystroke, only the condition that changed is analysed."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

import ttsr_ls.esregex
from ttsr_ls.ide.analysis import analyse
from ttsr_ls.ide.documents import Document
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.syntax import misreading
from ttsr_ls.syntax.reader import read_rule

ESREGEX = str(Path(ttsr_ls.esregex.__file__).parent)
CONDITIONS = "".join(
    f"  - '(?i)\\b(word{number}|other{number})\\s+[a-z]{{2,5}}(?:foo|ba[rz])+(?!_x)/\\d'\n" for number in range(12)
)
RULE = f"---\ncondition:\n{CONDITIONS}scope: tool:edit(*.ts), text\n---\nDo something else.\n"


def calls(text: str) -> tuple[Counter[str], int]:
    """The functions of `esregex` that the analysis of a rule calls, and how many findings it has."""
    counted: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(ESREGEX):
            counted[frame.f_code.co_qualname] += 1

    sys.setprofile(count)
    try:
        analysis = analyse(Document.of("u", "/p/.omp/rules/a.md", 1, text), LintContext())
    finally:
        sys.setprofile(None)
    return counted, len(analysis.findings)


def test_unchanged_conditions_are_not_analysed_again() -> None:
    first, findings = calls(RULE)
    assert findings >= 12
    of_body, again = calls(RULE + "More.\n")
    assert again == findings
    of_condition, _ = calls(RULE.replace("word5", "word55"))
    # Offsets in code units are converted for each finding, and work is counted. The trees are not looked at.
    assert of_body.total() < first.total() / 50, of_body
    assert of_condition.total() < first.total() / 3


def test_a_file_with_invalid_yaml_is_read_with_its_fixes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(misreading, "read_rule", lambda text, **names: read.append(text) or read_rule(text, **names))
    text = "---\ncondition: foo\ntrigger: 'bar\n---\nSay so.\n"
    codes = {
        finding.code for finding in check_file(read_rule(text, name="a", path="/p/.omp/rules/a.md"), LintContext())
    }
    assert "yaml-degraded" in codes
    assert read.count(text) == 1
