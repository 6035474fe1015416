"""Fingerprints stay the same while lines move, and differ where findings do."""

from __future__ import annotations

from tests.lint.case_files import findings_of
from ttsr_ls.lint.suppressions.fingerprint import fingerprints
from ttsr_ls.text import LineIndex

RULE = "---\ncondition:\n  - foo|\n  - bar|\n---\nSay so.\n"


def names(text: str, path: str = "rule.md") -> list[str]:
    (findings,) = findings_of([(path, text)])
    return list(fingerprints(LineIndex(text), findings))


def test_each_finding_has_its_own_fingerprint() -> None:
    found = names("---\ncondition: [foo, foo, foo]\n---\nSay so.\n")
    assert len(found) == len(set(found)) == 2


def test_fingerprints_ignore_lines_above_and_indentation() -> None:
    assert names(RULE) == names(RULE.replace("condition:", "description: x\n\ncondition:").replace("  - ", "    -  "))


def test_fingerprints_depend_on_the_text_of_the_line() -> None:
    assert len(set(names(RULE)) & set(names(RULE.replace("bar|", "baz|")))) == 1
