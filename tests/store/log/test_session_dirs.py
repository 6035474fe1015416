"""The folders and names of session logs, and their retention."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.session_dirs import (
    Retention,
    files_of_session,
    prune,
    prune_all,
    session_file,
    session_files,
    state_home,
    workspace_folder,
    workspace_root,
)
from ttsr_ls.store.log.turn_log import TurnLog

NOW = 1_795_236_359_000
DAY = 24 * 60 * 60 * 1000


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        (None, "/home/dev/.local/state"),
        ("", "/home/dev/.local/state"),
        ("/st", "/st"),
        ("rel", "/home/dev/.local/state"),
    ],
)
def test_the_state_folder_follows_the_xdg_specification(setting: str | None, expected: str) -> None:
    environ = {} if setting is None else {"XDG_STATE_HOME": setting}
    assert state_home(environ, Path("/home/dev")) == Path(expected)


def test_workspaces_with_the_same_name_have_different_folders() -> None:
    one, other = (workspace_folder(Path("/st"), Path(path)) for path in ("/a/My Shop", "/b/My Shop"))
    assert one != other
    assert one.name.startswith("my-shop-")
    assert one.parent == Path("/st/ttsr-ls")


@pytest.mark.parametrize("path", ["/", "/..", "/…", "/a/" + "x" * 300])
def test_the_name_of_a_workspace_folder_is_one_short_segment(path: str) -> None:
    folder = workspace_folder(Path("/st"), Path(path))
    assert folder.parent == Path("/st/ttsr-ls")
    assert 0 < len(folder.name) <= 60


def test_a_subfolder_belongs_to_the_workspace_of_its_repository(tmp_path: Path) -> None:
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/src/deep").mkdir(parents=True)
    assert workspace_root(tmp_path / "repo/src/deep") == (tmp_path / "repo").resolve()


@pytest.mark.parametrize("session", ["../../etc/passwd", "", "a/b", "x" * 500, "\x00", "..", "907c6486-2234"])
def test_a_session_id_cannot_escape_the_folder(session: str, tmp_path: Path) -> None:
    path = session_file(tmp_path, NOW, session)
    assert path.parent == tmp_path
    path.write_bytes(b"")
    assert session_files(tmp_path) == (path,)


def test_links_and_foreign_files_are_not_listed_as_session_logs(tmp_path: Path) -> None:
    path = session_file(tmp_path, NOW, "real")
    path.write_bytes(b"")
    (tmp_path / "notes.jsonl").write_bytes(b"")
    session_file(tmp_path, NOW, "link").symlink_to(path)
    assert session_files(tmp_path) == (path,)


def logs(folder: Path, count: int) -> list[Path]:
    """Creates `count` logs of 100 bytes, each a day older than the next; the last is of today."""
    paths = []
    for age in reversed(range(count)):
        path = session_file(folder, NOW - age * DAY, f"s{age}")
        path.write_bytes(b"x" * 100)
        os.utime(path, (path.stat().st_atime, (NOW - age * DAY) / 1000))
        paths.append(path)
    return paths


def test_the_logs_of_a_session_are_not_those_of_sessions_with_similar_names(tmp_path: Path) -> None:
    times = {"s": (2_000, 1_000), "proxy-s": (1_000,), "s-s": (1_000,), "S": (3_000,), "s.": (4_000,)}
    paths = {name: [session_file(tmp_path, time, name) for time in times[name]] for name in times}
    for path in (path for each in paths.values() for path in each):
        path.touch()
    session_file(tmp_path, 5_000, "s").symlink_to(paths["S"][0])
    assert {name: list(files_of_session(tmp_path, name)) for name in times} == {
        name: sorted(each) for name, each in paths.items()
    }
    assert files_of_session(tmp_path / "missing", "s") == ()


@pytest.mark.parametrize(
    ("retention", "left"),
    [(Retention(), 5), (Retention(sessions=2), 2), (Retention(days=3), 4), (Retention(total_bytes=250), 2)],
)
def test_pruning_deletes_the_oldest_logs_first(tmp_path: Path, retention: Retention, left: int) -> None:
    paths = logs(tmp_path, 5)
    assert set(prune(tmp_path, retention, NOW)) == set(paths[: 5 - left])
    assert list(session_files(tmp_path)) == paths[5 - left :]


def test_pruning_keeps_a_log_that_is_being_written(tmp_path: Path) -> None:
    path = session_file(tmp_path, NOW - 90 * DAY, "long-running")
    with TurnLog.open(path, Header("s", "claude", "/w", 0, "test")):
        assert prune(tmp_path, Retention(sessions=0), NOW) == ()
    assert prune(tmp_path, Retention(sessions=0), NOW) == (path,)


def test_prune_all_deletes_logs_of_all_workspaces(tmp_path: Path) -> None:
    for name in ("one", "other"):
        folder = workspace_folder(tmp_path, Path("/w") / name)
        folder.mkdir(parents=True)
        logs(folder, 3)
    assert len(prune_all(tmp_path, Retention(sessions=1), NOW)) == 4
    assert prune_all(tmp_path / "nowhere", Retention(), NOW) == ()
