"""The added lines that git reports, for any names and contents of files."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ttsr_ls.store.discovery.scan_tree import UnreadFile, UnreadReason
from ttsr_ls.store.git_changes import AddedLines, StagedTexts, added_since, staged_lines
from ttsr_ls.store.git_program import GitError

HEADERS = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n"


def git(folder: Path, *arguments: str) -> str:
    identity = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "init.defaultBranch=main",
    )
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, message: str = "x") -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.txt").write_text("1\n2\n3\n4\n5\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.txt").write_text("1\n")
    commit(tmp_path)
    return tmp_path


def test_added_and_changed_lines_are_found(repository: Path) -> None:
    (repository / "a.txt").write_text("1\ntwo\n3\n4\nnew\nnew\n5\n")
    assert added_since(repository, "HEAD") == (AddedLines("a.txt", ((2, 3), (5, 7))),)


def test_added_lines_that_look_like_diff_headers_are_content(repository: Path) -> None:
    (repository / "a.txt").write_text(f"1\n++ b/sub/b.txt\n{HEADERS}3\n4\n5\n")
    assert added_since(repository, "HEAD") == (AddedLines("a.txt", ((2, 6),)),)


def test_added_lines_of_text_files_without_a_diff_by_attribute_are_found(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.txt -diff\n*.png binary\n")
    (repository / "sub" / "old [1].txt").write_text("1\n" * 9)
    commit(repository)
    (repository / "a.txt").write_text("1\ntwo\n3\n4\n5\n")
    (repository / "sub" / "old [1].txt").rename(repository / "sub" / "new *.txt")
    (repository / "sub" / "b.txt").rename(repository / "sub" / "same.txt")
    (repository / "sub" / "new *.txt").write_text("1\n" * 9 + "2\n")
    (repository / "image.png").write_bytes(b"\0\n" * 9)
    git(repository, "add", "-A")
    expected = [("a.txt", ((2, 3),)), ("sub/new *.txt", ((10, 11),))]
    assert [(lines.path, lines.ranges) for lines in added_since(repository, "HEAD")] == expected
    assert [(lines.path, lines.ranges) for lines in staged_lines(repository)] == expected
    assert [(lines.path, lines.ranges) for lines in added_since(repository / "sub", "HEAD")] == [
        ("new *.txt", ((10, 11),))
    ]


def test_removed_lines_and_files_add_nothing(repository: Path) -> None:
    (repository / "a.txt").write_text("1\n5\n")
    (repository / "sub" / "b.txt").unlink()
    assert added_since(repository, "HEAD") == ()


def test_lines_added_to_a_file_without_a_final_line_feed_are_found(repository: Path) -> None:
    (repository / "a.txt").write_text("1\n2\n3\n4\n5\n6")
    (repository / "sub" / "b.txt").write_text("1\n2")
    assert added_since(repository, "HEAD") == (AddedLines("a.txt", ((6, 7),)), AddedLines("sub/b.txt", ((2, 3),)))


@pytest.mark.parametrize(
    "name", ["with blank.txt", 'quo"te.txt', "tab\there.txt", "line\nfeed.txt", "é😀.txt", "back\\slash.txt"]
)
def test_files_with_special_names_are_found(repository: Path, name: str) -> None:
    (repository / name).write_text("x\n")
    assert added_since(repository, "HEAD") == (AddedLines(name, None),)
    git(repository, "add", "-A")
    assert added_since(repository, "HEAD") == (AddedLines(name, ((1, 2),)),)
    (staged,) = staged_lines(repository)
    assert (staged.path, staged.ranges) == (name, ((1, 2),))


def test_ignored_files_have_no_added_lines(repository: Path) -> None:
    (repository / ".gitignore").write_text("*.log\n")
    (repository / "x.log").write_text("x")
    assert [lines.path for lines in added_since(repository, "HEAD")] == [".gitignore"]


def test_a_renamed_file_has_only_its_changed_lines(repository: Path) -> None:
    git(repository, "mv", "a.txt", "c.txt")
    (repository / "c.txt").write_text("1\n2\n3\n4\n5\n6\n")
    assert added_since(repository, "HEAD") == (AddedLines("c.txt", ((6, 7),)),)
    git(repository, "add", "-A")
    (staged,) = staged_lines(repository)
    assert (staged.path, staged.ranges) == ("c.txt", ((6, 7),))


def test_only_files_below_the_folder_are_compared(repository: Path) -> None:
    (repository / "a.txt").write_text("x\n")
    (repository / "sub" / "b.txt").write_text("1\n2\n")
    (repository / "sub" / "new.txt").write_text("1\n")
    assert added_since(repository / "sub", "HEAD") == (AddedLines("b.txt", ((2, 3),)), AddedLines("new.txt", None))


def test_changes_are_compared_with_the_merge_base(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "mine")
    (repository / "mine.txt").write_text("m\n")
    commit(repository)
    git(repository, "checkout", "-q", "-")
    (repository / "a.txt").write_text("1\n2\n5\n")
    commit(repository)
    theirs = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "-q", "mine")
    assert added_since(repository, theirs) == (AddedLines("mine.txt", ((1, 2),)),)


def test_a_revision_without_a_merge_base_is_compared_itself(repository: Path) -> None:
    first = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "-q", "--orphan", "alone")
    (repository / "a.txt").write_text("1\n2\n3\n4\n5\n6\n")
    commit(repository)
    assert added_since(repository, first) == (AddedLines("a.txt", ((6, 7),)),)


def test_git_settings_of_the_user_do_not_change_the_added_lines(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in (("diff.noprefix", "true"), ("diff.mnemonicPrefix", "true"), ("diff.external", "false"),
                       ("color.ui", "always"), ("core.quotePath", "false"), ("diff.context", "7"),
                       ("diff.interHunkContext", "9")):  # fmt: skip
        git(repository, "config", key, value)
    monkeypatch.setenv("GIT_DIFF_OPTS", "--unified=3")
    (repository / "a.txt").write_text("one\n2\n3\n4\n5\nsix\n")
    (repository / "sub" / "b.txt").write_text("1\ntwo\n")
    lines = (AddedLines("a.txt", ((1, 2), (6, 7))), AddedLines("sub/b.txt", ((2, 3),)))
    assert added_since(repository, "HEAD") == lines
    git(repository, "add", ".")
    assert [(staged.path, staged.ranges) for staged in staged_lines(repository)] == [
        (added.path, added.ranges) for added in lines
    ]


def test_staged_texts_are_read_from_the_index(repository: Path) -> None:
    (repository / "a.txt").write_text("staged\n")
    (repository / "sub" / "b.txt").write_text("s" * 100)
    git(repository, "add", "-A")
    (repository / "a.txt").write_text("later\n")
    first, second = staged_lines(repository)
    assert first.ranges == ((1, 2),)
    texts = StagedTexts(repository)
    try:
        assert first.blob is not None
        assert second.blob is not None
        assert texts.read(second.blob, 10) == UnreadFile(UnreadReason.LARGE)
        assert texts.read(first.blob, 1000) == "staged\n"
        assert texts.read("0" * 40, 1000) == UnreadFile(UnreadReason.UNREADABLE)
        assert texts.read(first.blob, 1000) == "staged\n"
    finally:
        texts.close()


def test_all_staged_lines_are_added_before_the_first_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.txt").write_text("1\n2\n")
    git(tmp_path, "add", "-A")
    assert [(lines.path, lines.ranges) for lines in staged_lines(tmp_path)] == [("a.txt", ((1, 3),))]


def test_links_and_binary_files_have_no_lines(repository: Path) -> None:
    (repository / "link").symlink_to("a.txt")
    (repository / "bin").write_bytes(b"\0\1\2\n")
    git(repository, "add", "-A")
    assert [lines.path for lines in staged_lines(repository)] == []


@pytest.mark.parametrize("revision", ["nope", "--output=x", "", "a\0b", "HEAD:a.txt", "-1"])
def test_an_invalid_revision_is_an_error(repository: Path, revision: str) -> None:
    with pytest.raises(GitError):
        added_since(repository, revision)
    assert not (repository / "x").exists()


def test_git_changes_outside_of_a_repository_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="is not in a git repository"):
        added_since(tmp_path, "HEAD")
    with pytest.raises(GitError, match="is not in a git repository"):
        staged_lines(tmp_path)


def test_missing_git_is_an_error(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitError, match="git cannot be started"):
        staged_lines(repository)
