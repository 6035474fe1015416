"""Paths at which the reference agent finds a rule. Its recorded answers are in `discovery.json.gz`."""

from __future__ import annotations

import pytest

from ttsr_ls.lint.locations.placement import misplacement


@pytest.mark.parametrize(
    "path",
    [
        ".omp/rules/a.md", ".omp/rules/a.mdc", "/home/me/.omp/agent/rules/a.md", "/p/.agents/rules/a.md",
        ".agent/rules/a.md",
        ".cursor/rules/a.mdc", ".windsurf/rules/a.md", ".clinerules/a.md", ".github/instructions/a.instructions.md",
        ".github/instructions/x/y/a.instructions.md", ".omp/RULES.md", "rules/a.md", "a.md", "/p/docs/a.md",
    ],
)  # fmt: skip
def test_files_in_read_or_unknown_folders_are_not_misplaced(path: str) -> None:
    assert misplacement(path, fires=True) is None


@pytest.mark.parametrize(
    ("path", "remedy"),
    [
        (".omp/rules/x/a.md", "Move it up into `.omp/rules`."),
        (".agents/rules/x/y/a.md", "Move it up into `.agents/rules`."),
        (".omp/rules/a.MD", "Call it `a.md`."),
        (".omp/rules/a.markdown", "Call it `a.md`."),
        (".cursor/rules/a.txt", "Call it `a.mdc`."),
        (".windsurf/rules/a.mdc", "Call it `a.md`."),
        (".clinerules/a.mdc", "Call it `a.md`."),
        (".github/instructions/a.md", "Call it `a.instructions.md`."),
        (".github/instructions/a.instructions.mdc", "Call it `a.instructions.md`."),
        (".omp/rules/.a.md", "Call it `a.md`."),
        ("p/.cursorrules", "Put the rule into `.cursor/rules` or `.omp/rules`."),
        ("p/.windsurfrules", "Put the rule into `.windsurf/rules` or `.omp/rules`."),
    ],
)
def test_misplaced_files_have_reason_and_remedy(path: str, remedy: str) -> None:
    file = misplacement(path, fires=False)
    assert file is not None
    assert file.remedy == remedy


@pytest.mark.parametrize(
    "path",
    [
        ".claude/rules/a.md",
        ".claude/rules/web/a.md",
        ".devin/rules/a.md",
        ".gemini/rules/a.md",
        ".omp/a.md",
        ".omp/Rules/a.md",
        ".agents/rule/a.md",
        ".omp/agent/a.md",
    ],
)
def test_files_outside_of_rule_folders_are_misplaced_only_with_a_trigger(path: str) -> None:
    assert misplacement(path, fires=False) is None
    assert misplacement(path, fires=True) is not None
