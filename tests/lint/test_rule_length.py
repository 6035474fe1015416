"""A rule that is longer than its program allows is reported where the text that may be missing begins."""

from __future__ import annotations

import pytest

from tests.lint.case_files import findings_of
from ttsr_ls.lint.finding import Finding

MAX_LENGTH = 12_000
HEAD = "---\ntrigger: always_on\n---\n"


def found(path: str, text: str) -> tuple[Finding, ...]:
    (findings,) = findings_of([(path, text)])
    return findings


def text_of(length: int, line: str = "Write short functions.\n") -> str:
    return (HEAD + line * length)[:length]


def test_a_windsurf_rule_of_the_maximum_length_has_no_finding() -> None:
    assert found(".windsurf/rules/r.md", text_of(MAX_LENGTH)) == ()


@pytest.mark.parametrize("line", ["Write short functions.\n", "\nWrite.", "x"])
def test_a_windsurf_rule_that_is_too_long_is_reported_at_the_first_excess_character(line: str) -> None:
    text = HEAD + "x" * (MAX_LENGTH - len(HEAD)) + line * 40
    (finding,) = found(".windsurf/rules/r.md", text)
    assert (finding.code, finding.severity.value) == ("never-in-prompt", "warning")
    assert f"{len(text.rstrip()):,} characters" in finding.message
    assert "12,000" in finding.message
    assert MAX_LENGTH == finding.span.start < finding.span.end <= len(text)


def test_trailing_blank_lines_do_not_count_as_length() -> None:
    assert found(".windsurf/rules/r.md", text_of(MAX_LENGTH) + "\n" * 100) == ()


@pytest.mark.parametrize(
    "path", [".cursor/rules/r.mdc", ".claude/rules/r.md", ".clinerules/r.md", ".github/instructions/r.instructions.md"]
)
def test_rules_of_other_programs_have_no_limit(path: str) -> None:
    key = {"r.mdc": "alwaysApply: true", "r.md": "paths: ['**/*.ts']"}.get(path.rsplit("/", 1)[-1], "applyTo: '**'")
    assert found(path, f"---\n{key}\n---\n" + "Write short functions.\n" * 2_000) == ()
