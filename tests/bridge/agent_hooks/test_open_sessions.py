"""The open sessions of the hook server: their limit, and the state that they share."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.built_automata import notice_builds
from ttsr_ls.bridge.agent_hooks import open_sessions
from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, hook_call
from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, Denied, HookAnswer
from ttsr_ls.bridge.agent_hooks.open_sessions import MAX_SESSIONS, HookSessions
from ttsr_ls.bridge.agent_hooks.session_recording import SessionRecording
from ttsr_ls.store.files.disk_reads import DiskReads


def test_the_session_that_was_used_least_recently_is_closed(project: Path) -> None:
    sessions = HookSessions(frozenset(CONTRACTS), lambda _: None, 1.0)
    opened: list[set[str]] = []
    sessions.on_change = lambda all_sessions: opened.append({session.session for session in all_sessions})

    def ask(number: int) -> object:
        message = {"session_id": f"s{number}", "cwd": str(project), "hook_event_name": "PreToolUse"}
        written = {"tool_name": "Write", "tool_input": {"file_path": "a.py", "content": "deprecated_module"}}
        return sessions.decide("claude", hook_call(CONTRACTS["claude"], {**message, **written})).answer

    try:
        for number in range(MAX_SESSIONS):
            ask(number)
        ask(0)
        assert isinstance(ask(MAX_SESSIONS), Denied)
        assert len(sessions) == MAX_SESSIONS
        assert opened[-1] == {f"s{number}" for number in range(MAX_SESSIONS + 1)} - {"s1"}
        # A closed session is reopened with its record: the rule has denied a call of it.
        assert isinstance(ask(1), Allowed)
    finally:
        sessions.close()


@pytest.fixture
def sessions(project: Path) -> Iterator[HookSessions]:
    opened = HookSessions(frozenset(CONTRACTS), lambda _: None, 0.0)
    yield opened
    opened.close()


def write(sessions: HookSessions, session: str, folder: Path, text: str) -> HookAnswer:
    message = {"session_id": session, "cwd": str(folder), "hook_event_name": "PreToolUse", "tool_name": "Write"}
    return sessions.decide(
        "claude", hook_call(CONTRACTS["claude"], {**message, "tool_input": {"file_path": "a.py", "content": text}})
    ).answer


def test_the_sessions_of_a_project_build_one_automaton(
    sessions: HookSessions, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds: list[int] = []
    notice_builds(monkeypatch, builds.append)
    for number in range(20):
        assert isinstance(write(sessions, f"s{number}", project, "deprecated_module"), Denied)
        assert not isinstance(write(sessions, f"s{number}", project, "new_module"), Denied)
    sessions._close(("claude", "s0", str(project)))
    assert isinstance(write(sessions, "another", project, "deprecated_module"), Denied)
    assert builds == [1]


def test_a_rule_that_denied_a_call_denies_none_after_the_session_was_resumed(
    sessions: HookSessions, project: Path
) -> None:
    assert isinstance(write(sessions, "s", project, "deprecated_module"), Denied)
    sessions._close(("claude", "s", str(project)))
    again = HookSessions(frozenset(CONTRACTS), lambda _: None, 0.0)
    try:
        assert isinstance(write(again, "s", project, "deprecated_module"), Allowed)
        # Sessions with a similar name are others.
        for other in ("proxy-s", "s-s", "S"):
            assert isinstance(write(again, other, project, "deprecated_module"), Denied)
    finally:
        again.close()


def test_a_denial_whose_record_is_torn_is_not_counted_after_the_session_was_resumed(
    sessions: HookSessions, project: Path
) -> None:
    assert isinstance(write(sessions, "s", project, "deprecated_module"), Denied)
    sessions._close(("claude", "s", str(project)))
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*-s.jsonl")
    before, found, rest = log.read_bytes().partition(b'"kind":"RuleTriggered"')
    assert found
    # All of the record but its line feed was written.
    log.write_bytes(before + found + rest.partition(b"\n")[0])
    again = HookSessions(frozenset(CONTRACTS), lambda _: None, 0.0)
    try:
        assert isinstance(write(again, "s", project, "deprecated_module"), Denied)
    finally:
        again.close()


def test_the_automaton_outlives_the_sessions_of_a_project(
    sessions: HookSessions, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds: list[int] = []
    notice_builds(monkeypatch, builds.append)
    for number in range(3):
        assert isinstance(write(sessions, f"s{number}", project, "deprecated_module"), Denied)
        sessions._close(("claude", f"s{number}", str(project)))
    assert len(sessions) == 0
    assert builds == [1]


def test_each_session_of_a_project_gets_changed_rules_at_its_next_call(
    sessions: HookSessions, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        assert not isinstance(write(sessions, f"s{number}", project, "new_module"), Denied)
    builds: list[int] = []
    notice_builds(monkeypatch, builds.append)
    (project / ".omp" / "rules" / "no-new.md").write_text("---\ncondition: new_module\n---\nUse newest_module.\n")
    for number in range(4):
        assert isinstance(write(sessions, f"s{number}", project, "new_module"), Denied)
        assert not isinstance(write(sessions, f"s{number}", project, "newest_module"), Denied)
    assert builds == [2]


def test_rule_files_of_projects_with_recent_calls_are_checked_between_calls(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = HookSessions(frozenset(CONTRACTS), lambda _: None, 1_000.0)
    try:
        assert not sessions.check_rules()
        assert not isinstance(write(sessions, "s", project, "new_module"), Denied)
        (project / ".omp" / "rules" / "no-new.md").write_text("---\ncondition: new_module\n---\nUse newest_module.\n")
        assert not isinstance(write(sessions, "s", project, "new_module"), Denied)
        assert sessions.check_rules()
        monkeypatch.setattr(DiskReads, "have_changed", lambda _: pytest.fail("the call checks the disk"))
        assert isinstance(write(sessions, "s", project, "new_module"), Denied)
        later = time.monotonic() + 3_600
        monkeypatch.setattr(time, "monotonic", lambda: later)
        assert not sessions.check_rules()
    finally:
        sessions.close()


def test_opening_a_session_does_not_block_other_projects(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, go_on = threading.Event(), threading.Event()

    def open_slowly(agent: str, session: str, cwd: Path, state: Path) -> SessionRecording:
        if not slow.is_set():
            slow.set()
            assert go_on.wait(60)
        return SessionRecording(agent, session, cwd, state)

    monkeypatch.setattr(open_sessions, "SessionRecording", open_slowly)
    sessions = HookSessions(frozenset(CONTRACTS), lambda _: None, 1.0)
    other = project.parent / "other"
    other.mkdir()
    answers: list[HookAnswer] = []
    thread = threading.Thread(
        target=lambda: answers.append(write(sessions, "first", project, "deprecated_module")), daemon=True
    )
    thread.start()
    try:
        assert slow.wait(60)
        began = time.monotonic()
        assert not isinstance(write(sessions, "second", other, "deprecated_module"), Denied)
        assert time.monotonic() - began < 30
        assert not answers
    finally:
        go_on.set()
        thread.join(60)
        sessions.close()
    assert len(answers) == 1


def test_concurrent_calls_for_more_sessions_than_the_limit_are_all_answered(project: Path) -> None:
    sessions = HookSessions(frozenset(CONTRACTS), lambda _: None, 1.0)
    answers: list[HookAnswer] = []

    def ask(first: int) -> None:
        for number in range(first, first + 60):
            answers.append(write(sessions, f"s{number}", project, "deprecated_module"))

    threads = [threading.Thread(target=ask, args=(number * 60,), daemon=True) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    try:
        assert len(answers) == 240 > MAX_SESSIONS
        assert all(isinstance(answer, Denied) for answer in answers)
        assert len(sessions) <= MAX_SESSIONS
    finally:
        sessions.close()
