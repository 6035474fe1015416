"""Hook sessions whose log cannot be written: rules still apply, and the user is warned."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.failing_disk import FailingSync, with_sync
from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, hook_call
from ttsr_ls.bridge.agent_hooks.hook_call import Denied
from ttsr_ls.bridge.agent_hooks.open_sessions import HookSessions
from ttsr_ls.session.history.turn_events import RuleTriggered, TurnEvent
from ttsr_ls.store.log.reader import read_log


@pytest.fixture
def sessions(project: Path) -> Iterator[HookSessions]:
    opened = HookSessions(frozenset(CONTRACTS), lambda _: None, 0.0)
    yield opened
    opened.close()


WRITE = {"hook_event_name": "PreToolUse", "tool_name": "Write"}


def warnings(sessions: HookSessions, project: Path, *texts: str) -> list[tuple[bool, str]]:
    """Returns for each call whether it is denied, and the message for the user."""
    results = []
    for text in texts:
        message = {
            "session_id": "s",
            "cwd": str(project),
            **WRITE,
            "tool_input": {"file_path": "a.py", "content": text},
        }
        result = sessions.decide("claude", hook_call(CONTRACTS["claude"], message))
        results.append((isinstance(result.answer, Denied), result.warning))
    return results


def test_a_session_whose_log_cannot_be_opened_is_enforced_and_the_user_is_warned(
    sessions: HookSessions, project: Path
) -> None:
    (project.parent / "state").write_text("a file where a folder should be")
    (is_denied, warning), second = warnings(sessions, project, "deprecated_module", "x = 1")
    assert is_denied
    assert warning.startswith(
        "this session is not recorded, and editors do not see it, but rules still apply: cannot open"
    )
    assert second == (False, "")


def test_a_session_whose_log_is_deleted_is_enforced_and_the_user_is_warned(
    sessions: HookSessions, project: Path
) -> None:
    assert warnings(sessions, project, "x = 1") == [(False, "")]
    (log,) = (project.parent / "state").rglob("*.jsonl")
    log.unlink()
    (is_denied, warning), second = warnings(sessions, project, "deprecated_module", "x = 1")
    assert is_denied
    assert warning.startswith("this session is not recorded, and editors do not see it, but rules still apply: ")
    assert warning.endswith(f"{log} takes nothing more, because its file was deleted; start again, with a new log")
    assert second == (False, "")


def test_all_records_of_a_call_are_on_the_disk_with_one_sync_before_it_is_answered(
    sessions: HookSessions, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second_rule = "---\ncondition: second_rule\nscope: tool\n---\nDo it in another way.\n"
    (project / ".omp" / "rules" / "second.md").write_text(second_rule)
    assert warnings(sessions, project, "x = 1") == [(False, "")]
    (log,) = (project.parent / "state").rglob("*.jsonl")
    synced: list[list[type[TurnEvent]]] = []
    monkeypatch.setattr(os, "fsync", lambda _: synced.append([type(each.event) for each in read_log(log).records]))
    assert warnings(sessions, project, "deprecated_module second_rule") == [(True, "")]
    (on_disk,) = synced
    assert on_disk.count(RuleTriggered) == 2
    assert on_disk == [type(each.event) for each in read_log(log).records]


def test_a_session_whose_log_cannot_be_synced_is_enforced_and_the_user_is_warned(
    sessions: HookSessions, project: Path
) -> None:
    assert warnings(sessions, project, "x = 1") == [(False, "")]
    with with_sync(FailingSync(1)):
        (is_denied, warning), second = warnings(sessions, project, "deprecated_module", "x = 1")
    assert is_denied
    assert "Input/output error; check the disk" in warning
    assert second == (False, "")


def test_a_session_whose_disk_is_full_is_enforced_and_the_user_is_warned(
    sessions: HookSessions, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert warnings(sessions, project, "x = 1") == [(False, "")]

    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", fail)
    (is_denied, warning), second = warnings(sessions, project, "deprecated_module", "x = 1")
    monkeypatch.undo()
    assert is_denied
    assert "No space left on device; free some space on that disk" in warning
    assert second == (False, "")
