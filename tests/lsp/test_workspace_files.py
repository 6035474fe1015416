"""The list of a workspace's files: complete, quick to answer, and made anew."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ttsr_ls.ide.explain.values import FileList
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.workspace_files import MAX_FILES, FirstListingError, WorkspaceFiles, file_names


def until(is_so: Callable[[], bool]) -> None:
    for _ in range(3000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("it did not become so")


def listed(files: WorkspaceFiles, path: str, workspace: Workspace) -> FileList:
    """The files after the first listing."""
    try:
        return files.around(path, workspace)
    except FirstListingError as error:
        error.done.result(60)
        return files.around(path, workspace)


def make_files(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def test_hidden_folders_are_listed_and_ignored_ones_are_not(tmp_path: Path) -> None:
    make_files(tmp_path, ".github/workflows/ci.yml", "src/a.py", "venv/b.py", "node_modules/c/c.js", ".git/HEAD")
    (tmp_path / ".gitignore").write_text("venv/\n")
    workspace = Workspace(folders=(str(tmp_path),))
    files = listed(WorkspaceFiles(), str(tmp_path / ".omp/rules/a.md"), workspace)
    assert list(files.names) == [".github/workflows/ci.yml", ".gitignore", "src/a.py"]
    assert files.is_complete


def test_a_folder_with_more_entries_than_a_rule_folder_may_have_is_listed_as_a_whole(tmp_path: Path) -> None:
    make_files(tmp_path, *(f"{folder}/{number}.py" for folder in "abcd" for number in range(3000)))
    files = listed(WorkspaceFiles(), str(tmp_path / "a.md"), Workspace(folders=(str(tmp_path),)))
    assert (len(files.names), files.is_complete) == (12_000, True)
    assert len(file_names(str(tmp_path), 500)) == 500


def test_files_that_the_users_git_ignores_are_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    make_files(tmp_path, "home/.config/git/ignore", "project/src/a.py", "project/src/a.py.orig")
    (tmp_path / "home/.config/git/ignore").write_text("*.orig\n")
    subprocess.run(["git", "init", "-q", tmp_path / "project"], check=True)
    assert file_names(str(tmp_path / "project" / "src"), 10) == ["a.py"]


def test_a_list_with_as_many_files_as_the_limit_is_incomplete() -> None:
    files = listed(WorkspaceFiles(lambda folder, most: [folder] * most), "/p/a.md", Workspace(folders=("/p",)))
    assert (len(files.names), files.is_complete) == (MAX_FILES, False)


def test_the_old_list_is_used_while_a_new_one_is_made() -> None:
    lists = [["a"], ["a"], ["a", "b"]]
    may_end = threading.Semaphore(1)

    def list_slowly(folder: str, most: int) -> Sequence[str]:
        may_end.acquire()
        return lists.pop(0)

    files = WorkspaceFiles(list_slowly, lifetime=0, rest=0)
    workspace = Workspace(folders=("/p",))
    first = listed(files, "/p/a.md", workspace)
    assert list(first.names) == ["a"]
    time.sleep(0.01)
    began = time.monotonic()
    assert files.around("/p/a.md", workspace) is first
    assert time.monotonic() - began < 5
    may_end.release()
    until(lambda: len(lists) == 1)
    assert files.around("/p/a.md", workspace) is first, "an equal list is the same object"
    may_end.release()
    until(lambda: list(files.around("/p/a.md", workspace).names) == ["a", "b"])


def test_outside_of_all_folders_nothing_is_listed() -> None:
    files = WorkspaceFiles(lambda folder, most: [folder]).around("/q/a.md", Workspace(folders=("/p",)))
    assert (list(files.names), files.is_complete) == ([], True)
