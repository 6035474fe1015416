"""Globs of folders that the project does not have: only near misses of folders that it has are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.fixes.fixed_file import apply_edits
from ttsr_ls.store.discovery.lint_environment import lint_environment
from ttsr_ls.store.discovery.project_folders import MAX_ENTRIES, FoldersOnDisk
from ttsr_ls.syntax.reader import read_rule


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    for folder in (".git", ".omp/rules", "src/components", "test", "phase2", "packages/server", "builds", "Docs"):
        (root / folder).mkdir(parents=True)
    return root


def findings(project: Path, *globs: str, key: str = "globs") -> list[Finding]:
    written = ", ".join(f"'{glob}'" for glob in globs)
    text = f"---\ncondition: foo\n{key}: [{written}]\n---\n\nSay bar.\n"
    context = LintContext(location=str(project / ".omp/rules/r.md"), folders=FoldersOnDisk(str(project)))
    found_findings = check_file(read_rule(text, name="r", path="r.md"), context)
    return [finding for finding in found_findings if "has no folder" in finding.message]


@pytest.mark.parametrize(
    ("glob", "meant"),
    [
        ("srcc/**", "src"),
        ("scr/**/*.ts", "src"),
        ("src/component/*.tsx", "src/components"),
        ("tests/**", "test"),
        ("package/server/**", "packages"),
        ("packages/sever/a.ts", "packages/server"),
        ("docs/**", "Docs"),
    ],
)
def test_misspelt_folder_is_reported_with_the_nearest_folder(project: Path, glob: str, meant: str) -> None:
    [finding] = findings(project, glob)
    assert finding.severity is Severity.INFO
    assert finding.message.endswith(f"Is `{meant}` meant?")
    [fix] = finding.fixes
    text = f"---\ncondition: foo\nglobs: ['{glob}']\n---\n\nSay bar.\n"
    fixed_text = apply_edits(text, fix.edits)
    assert f"'{meant}/" in fixed_text


def test_misspelt_folder_in_a_scope_is_reported(project: Path) -> None:
    [finding] = findings(project, "tool:edit(srcc/**)", key="scope")
    assert finding.message == "The project has no folder `srcc`, so this matches no file. Is `src` meant?"


@pytest.mark.parametrize(
    "globs",
    [
        ("src/**",),
        ("src/components/**",),
        ("lib/**",),  # Nothing like it.
        ("phase1/**",),  # Another number.
        ("build/**",),  # Programs make it.
        ("test/**", "tests/**"),  # Both are named.
        ("package/client/**",),  # The folder that might be meant has no such folder either.
        ("*srcc/**",),
        ("{srcc,lib}/**",),
        ("!srcc/**",),
        ("**/srcc/**",),
        ("/srcc/**",),
        ("srcc",),
    ],
)
def test_other_globs_are_not_reported(project: Path, globs: tuple[str, ...]) -> None:
    assert findings(project, *globs) == []


def test_environment_of_a_rule_has_the_folders_of_its_project_but_not_those_of_the_home_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project / ".omp/rules"
    assert lint_environment(folder).context(folder / "r.md").folders == FoldersOnDisk(str(project))
    assert lint_environment(project / "src").context(project / "src/r.md").folders is None
    monkeypatch.setenv("HOME", str(project))
    assert lint_environment(folder).context(folder / "r.md").folders is None


def test_unreadable_and_very_large_folders_list_no_subfolders(tmp_path: Path) -> None:
    folders = FoldersOnDisk(str(tmp_path))
    assert folders.below("missing") == ()
    assert not folders.has("\0")
    assert folders.below("\0") == ()
    assert not folders.has("x" * 5_000)
    (tmp_path / "src").mkdir()
    assert folders.below("") == ("src",)
    for number in range(MAX_ENTRIES):
        (tmp_path / f"{number}").touch()
    assert folders.below("") == ()
