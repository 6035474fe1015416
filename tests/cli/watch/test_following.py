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
from ttsr_ls.cli.watch.following import FollowPace, SessionAdapter, followed_chunks, running_session
from ttsr_ls.errors import UsageError
from ttsr_ls.session.history.turn_events import RuleTriggered, TurnCompleted
from ttsr_ls.session.output.agent_events import SessionSeen, StreamDamaged, TurnClosed
from ttsr_ls.store.agent_sessions import AgentSessionFile, sessions_of
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import read_log

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


def patch(added: str) -> str:
    given = f"*** Begin Patch\n*** Add File: a.py\n+{added}\n*** End Patch"
    call = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c1", "input": given}
    return json.dumps({"type": "response_item", "payload": call}) + "\n"


def test_sessions_of_other_folders_and_other_files_are_ignored(home: Path) -> None:
    shop = home / "shop"
    assert sessions_of(shop, home) == ()
    with pytest.raises(UsageError, match="no session of Claude Code, Codex"):
        running_session(shop, home)
    path = rollout(home, "own", shop)
    rollout(home, "other", home)
    (path.parent / "rollout-broken.jsonl").write_text("{")
    os.mkfifo(path.parent / "rollout-pipe.jsonl")
    kept = transcript(home, "s1")
    os.utime(path, (1, 1))
    (kept.parent / "link.jsonl").symlink_to(TRANSCRIPT)
    found = sessions_of(shop, home)
    assert [(session.path, session.source) for session in found] == [
        (kept, "claude-transcript"),
        (path, "codex-rollout"),
    ]


class Followed:
    """A session that is followed, and the switches to others."""

    def __init__(self, home: Path, still: float = 1_000.0) -> None:
        self.switches: list[tuple[Path, bool]] = []
        session = running_session(home / "shop", home)
        pace = FollowPace(0.01, 0.0, still)
        self._chunks = followed_chunks(session, home / "shop", home, self._switched, pace)

    def next(self) -> bytes:
        return next(chunk for chunk in self._chunks if chunk)

    def _switched(self, session: AgentSessionFile, is_new: bool) -> None:
        self.switches.append((session.path, is_new))


def add(path: Path, text: str, at: int) -> None:
    with path.open("a") as file:
        file.write(text)
    os.utime(path, (at, at))


def test_added_data_is_yielded_and_a_later_session_followed(home: Path) -> None:
    first = transcript(home, "s1", "old\n")
    watched = Followed(home)
    add(first, "new\n", 1_000_000_000)
    assert watched.next() == b"new\n"
    second = transcript(home, "s2", "later\n")
    assert watched.next() == b"later\n"
    assert watched.switches == [(second, True)]
    second.write_text("x\n")
    assert watched.next() == b"x\n"


def test_a_later_session_that_is_deleted_is_not_followed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = transcript(home, "s1", "old\n")
    watched = Followed(home)
    deleted = AgentSessionFile(first.with_name("s0.jsonl"), "claude-transcript", 4_000_000_000)
    looks = iter([(deleted, *sessions_of(home / "shop", home))])
    listed = "ttsr_ls.cli.watch.following.sessions_of"
    monkeypatch.setattr(listed, lambda *folders: next(looks, None) or sessions_of(*folders))
    second = transcript(home, "s2", "later\n")
    assert watched.next() == b"later\n"
    assert watched.switches == [(second, True)]


def test_a_later_session_of_another_agent_is_followed_from_its_beginning(home: Path) -> None:
    first = transcript(home, "s1", "old\n")
    os.utime(first, (1_000_000_000, 1_000_000_000))
    watched = Followed(home)
    second = rollout(home, "r1", home / "shop")
    assert watched.next() == second.read_bytes()
    assert watched.switches == [(second, True)]
    third = transcript(home, "s3", "third\n")
    add(third, "", 4_000_000_000)
    assert watched.next() == b"third\n"


def test_concurrent_sessions_do_not_alternate_and_repeat_no_data(home: Path) -> None:
    first, second = transcript(home, "s1", "1\n"), transcript(home, "s2", "2\n")
    for path, changed in ((first, 2_000), (second, 1_000)):
        os.utime(path, (changed, changed))
    watched = Followed(home)
    add(second, "22\n", 3_000)
    add(first, "11\n", 2_500)
    assert watched.next() == b"11\n"
    third = transcript(home, "s3", "3\n")
    add(first, "111\n", 2_600)
    assert (watched.next(), watched.next(), watched.switches) == (b"111\n", b"3\n", [(third, True)])


def test_a_continued_session_is_followed_from_its_last_position(home: Path) -> None:
    first, second = transcript(home, "s1", "1\n"), transcript(home, "s2", "2\n")
    for path, changed in ((first, 2_000), (second, 1_000)):
        os.utime(path, (changed, changed))
    watched = Followed(home, still=0.0)
    add(first, "11\n", 2_500)
    assert watched.next() == b"11\n"
    add(second, "22\n", 3_000)
    assert watched.next() == b"22\n"
    add(first, "111\n", 4_000)
    assert watched.next() == b"111\n"
    assert watched.switches == [(second, False), (first, False)]


def test_each_session_has_the_adapter_of_its_agent(home: Path) -> None:
    shop = home / "shop"
    own = rollout(home, "r1", shop)
    adapter = SessionAdapter(running_session(shop, home), shop)
    assert adapter.feed(b"") == [SessionSeen("r1", "")]
    adapter.feed(b'{"type":"event_msg","payload":{"type":"user_message","message":"Go"}}\n')
    transcript(home, "s1")
    os.utime(own, (1, 1))
    assert adapter.switch(running_session(shop, home)) == [TurnClosed(TurnCompleted())]
    assert adapter.feed(b"") == [SessionSeen("s1", "")]
    assert adapter.feed(TRANSCRIPT.read_bytes())
    assert not any(isinstance(event, StreamDamaged) for event in adapter.finish())


def test_a_live_session_is_watched_on_a_terminal(home: Path) -> None:
    shop = home / "shop"
    rules = shop / ".omp" / "rules"
    rules.mkdir(parents=True)
    (rules / "no-mutable.md").write_text("---\ncondition: 'prices=\\{\\}'\n---\nNo.\n")
    *begun, last = TRANSCRIPT.read_text().splitlines(keepends=True)
    kept = transcript(home, "s1", "".join(begun[:3]))
    ours, theirs = pty.openpty()
    watch = subprocess.Popen(
        [sys.executable, "-m", "ttsr_ls", "watch"],
        cwd=shop,
        env=environment(HOME=str(home), XDG_STATE_HOME=str(home / "state")),
        stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    os.close(theirs)
    assert watch.stdout is not None
    assert watch.stderr is not None
    try:
        assert str(kept) in watch.stdout.readline()
        assert watch.stdout.readline().startswith("Watching claude-transcript with 1 rule")
        assert "come whole" in watch.stdout.readline()
        with kept.open("a") as file:
            file.write("".join([*begun[3:], last]))
        assert "no-mutable would interrupt write of" in watch.stdout.readline()
        later = rollout(home, "r1", shop)
        add(later, patch("prices={}"), 4_000_000_000)
        while (line := watch.stdout.readline()) and "no-mutable would" not in line:
            pass
        assert "no-mutable would interrupt write of a.py" in line
        # Each session has a log of its own.
        logs = [read_log(path) for path in (home / "state" / "ttsr-ls").glob("*/*.jsonl")]
        assert sorted(log.header.agent for log in logs if isinstance(log.header, Header)) == [
            "claude-transcript",
            "codex-rollout",
        ]
        fired = [[event for each in log.records if isinstance(event := each.event, RuleTriggered)] for log in logs]
        assert [len(events) for events in fired] == [1, 1]
        assert watch.stderr.readline() == f"ttsr-ls: A new session began: following {later}, a rollout of Codex\n"
        assert "come whole" in watch.stderr.readline()
    finally:
        watch.terminate()
        watch.communicate(timeout=60)
        os.close(ours)


def test_without_a_session_or_a_stream_an_error_is_printed(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home / "shop")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    ran = ttsr_ls(capsys, "watch")
    assert ran.status == 2
    assert "no session of Claude Code, Codex" in ran.err
    assert "--passthrough needs" in ttsr_ls(capsys, "watch", "--passthrough").err
