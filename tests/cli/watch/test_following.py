"""`watch` without a file follows the session that an agent keeps of the folder, on a terminal."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import environment, ttsr_ls
from ttsr_ls.cli.watch.following import FollowPace, followed, running_session
from ttsr_ls.errors import UsageError
from ttsr_ls.store.agent_sessions import sessions_of

TRANSCRIPT = Path(__file__).parents[2] / "samples" / "claude_transcript" / "session.jsonl"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return tmp_path


def transcript(home: Path, name: str, text: str = "") -> Path:
    folder = home / ".claude" / "projects" / str(home / "shop").replace("/", "-").replace("_", "-").replace(".", "-")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jsonl"
    path.write_text(text)
    return path


def rollout(home: Path, name: str, cwd: Path) -> Path:
    folder = home / ".codex" / "sessions" / "2026" / "11" / "22"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rollout-{name}.jsonl"
    path.write_text(json.dumps({"type": "session_meta", "payload": {"id": name, "cwd": str(cwd)}}) + "\n")
    return path


def test_sessions_of_other_folders_and_odd_files_do_not_count(home: Path) -> None:
    shop = home / "shop"
    assert sessions_of(shop, home) == ()
    with pytest.raises(UsageError, match="no session of Claude Code or Codex"):
        running_session(shop, home)
    own = rollout(home, "own", shop)
    rollout(home, "other", home)
    (own.parent / "rollout-broken.jsonl").write_text("{")
    os.mkfifo(own.parent / "rollout-pipe.jsonl")
    kept = transcript(home, "s1")
    os.utime(own, (1, 1))
    (kept.parent / "link.jsonl").symlink_to(TRANSCRIPT)
    found = sessions_of(shop, home)
    assert [(session.path, session.source) for session in found] == [
        (kept, "claude-transcript"),
        (own, "codex-rollout"),
    ]


def test_what_is_added_comes_and_a_later_session_is_followed(home: Path) -> None:
    first = transcript(home, "s1", "old\n")
    os.utime(first, (1_000_000_000, 1_000_000_000))
    told: list[str] = []
    chunks = followed(running_session(home / "shop", home), home / "shop", home, told.append, FollowPace(0.01, 0.0))
    with first.open("a") as file:
        file.write("new\n")
    assert next(chunks) == b"new\n"
    os.utime(first, (1_000_000_000, 1_000_000_000))
    second = transcript(home, "s2", "later\n")
    assert next(chunks) == b"later\n"
    assert told == [f"A new session began: following {second}"]
    second.write_text("x\n")
    assert next(chunks) == b"x\n"


def test_a_live_session_is_watched_on_a_terminal(home: Path) -> None:
    shop = home / "shop"
    rules = shop / ".omp" / "rules"
    rules.mkdir(parents=True)
    (rules / "no-mutable.md").write_text("---\ncondition: 'prices=\\{\\}'\n---\nNo.\n")
    *begun, last = TRANSCRIPT.read_text().splitlines(keepends=True)
    kept = transcript(home, "s1", "".join(begun[:3]))
    ours, theirs = pty.openpty()
    watch = subprocess.Popen(
        [sys.executable, "-m", "ttsr_ls", "watch", "--no-log"],
        cwd=shop, env=environment(HOME=str(home)), stdin=theirs, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    os.close(theirs)
    assert watch.stdout is not None
    try:
        assert str(kept) in watch.stdout.readline()
        assert watch.stdout.readline().startswith("Watching claude-transcript with 1 rule")
        assert "come whole" in watch.stdout.readline()
        with kept.open("a") as file:
            file.write("".join([*begun[3:], last]))
        assert "no-mutable fired on write of" in watch.stdout.readline()
    finally:
        watch.terminate()
        watch.communicate(timeout=60)
        os.close(ours)


def test_nothing_to_follow_and_nothing_to_copy_is_said(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home / "shop")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    ran = ttsr_ls(capsys, "watch")
    assert ran.status == 2
    assert "no session of Claude Code or Codex" in ran.err
    assert "--passthrough needs" in ttsr_ls(capsys, "watch", "--passthrough").err
