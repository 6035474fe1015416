"""`scan --diff` and `scan --staged` report matches on added lines alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from tests.store.test_git_changes import commit, git

Capture = pytest.CaptureFixture[str]
RULE = "---\ncondition: ['bad', 'two\\nlines']\nscope: tool\n---\nNo.\n"


@pytest.fixture
def repository(project: Path) -> Path:
    git(project, "init", "-q")
    write(project, {".omp/rules/bad.md": RULE, "a.py": "bad\nok\n", "sub/b.py": "bad\n"})
    commit(project)
    return project


def found(capsys: Capture, *args: str) -> list[str]:
    ran = ttsr_ls(capsys, "scan", "--quiet", "--format", "concise", *args)
    lines = ran.out.splitlines()
    assert ran.status == bool(lines), ran.err
    return [line.split(": ")[0] for line in lines]


def test_only_added_lines_count(repository: Path, capsys: Capture) -> None:
    assert found(capsys, "--diff", "HEAD") == []
    write(repository, {"a.py": "bad\nok\nbad\n", "new.py": "bad\n"})
    assert found(capsys, "--diff", "HEAD") == ["a.py:3:1-3:4", "new.py:1:1-1:4"]
    assert found(capsys, "--diff", "HEAD", "new.py", "sub") == ["new.py:1:1-1:4"]
    assert found(capsys, "--diff", "HEAD", "a*.py") == ["a.py:3:1-3:4"]


def test_a_match_of_several_lines_counts_where_one_was_added(repository: Path, capsys: Capture) -> None:
    write(repository, {"a.py": "two\nok\n"})
    commit(repository)
    write(repository, {"a.py": "two\nlines\nok\n"})
    assert found(capsys, "--diff", "HEAD") == ["a.py:1:1-2:6"]


def test_staged_scans_the_index_and_not_the_working_tree(repository: Path, capsys: Capture) -> None:
    write(repository, {"a.py": "bad\nok\nbad # staged\n"})
    git(repository, "add", "a.py")
    write(repository, {"a.py": "bad\nok\n", "sub/b.py": "bad\nbad\n"})
    assert found(capsys, "--staged") == ["a.py:3:1-3:4"]
    write(repository, {"a.py": "bad\nok\nbad # staged\nbad\n"})
    assert found(capsys, "--staged") == ["a.py:3:1-3:4"]


def test_in_a_subfolder_only_its_files_are_scanned(
    repository: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, {"a.py": "bad\nbad\n", "sub/b.py": "bad\nbad\n"})
    monkeypatch.chdir(repository / "sub")
    assert found(capsys, "--diff", "HEAD", "--rules", "../.omp/rules") == ["b.py:2:1-2:4"]
    ran = ttsr_ls(capsys, "scan", "--diff", "HEAD", "--rules", "../.omp/rules", "..")
    assert (ran.status, ran.out) == (2, "")
    assert "is outside of the current folder" in ran.err


def test_git_errors_are_reported(repository: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "scan", "--diff", "no\x1bwhere")
    assert ran.status == 2
    assert ran.err == (
        "ttsr-ls: git knows no commit 'no\\x1bwhere' here; in CI, fetch it first (a shallow clone may lack it)\n"
    )
