"""The rules that an earlier program injected into a session that the agent continues."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bridge.watch.watching import MemoryLog, rules
from ttsr_ls.bridge.adapters.turn_tracker import PartsTracker
from ttsr_ls.bridge.control.earlier_injections import EarlierInjections
from ttsr_ls.bridge.watch.notices import TriggerNotice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind
from ttsr_ls.session.history.turn_events import AgentSessionIdentified, InjectionCommitted, ReminderFolded, TurnEvent
from ttsr_ls.session.lifecycle.rule_state import RuleRef
from ttsr_ls.session.output.agent_events import SessionSeen
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.session_dirs import session_file
from ttsr_ls.store.log.turn_log import TurnLog


def injected(rule: str, agent: str = "main") -> InjectionCommitted:
    injection = Injection(agent, InjectionKind.INTERRUPT, Role.USER, "Text.")
    return InjectionCommitted("t1", 1, injection, (rule,), rule_paths=(f"/{rule}.md",))


def write_log(folder: Path, number: int, *events: TurnEvent) -> Path:
    path = session_file(folder, number * 1_000, f"log{number}")
    with TurnLog.open(path, Header(path.stem, "claude", "/w", 1, "ttsr-ls")) as log:
        for event in events:
            log.append(event, 1)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "shop-1"
    write_log(folder, 1, AgentSessionIdentified("s1"), injected("first"), injected("of-subagent", "a1"))
    write_log(folder, 2, AgentSessionIdentified("s2"), injected("other"))
    reminder = ReminderFolded("t1", 1, "c1", ("third",), "Text.", rule_paths=("/third.md",))
    with write_log(folder, 3, AgentSessionIdentified("s1"), reminder, injected("first")).open("ab") as file:
        file.write(b'{"event": {"kind": "InjectionCommitted"')
    return folder


def test_the_rules_that_the_main_agent_of_the_session_has_are_returned_once(folder: Path) -> None:
    own = write_log(folder, 4, AgentSessionIdentified("s1"), injected("own"))
    earlier = EarlierInjections(folder, own)
    assert set(earlier.of_session("s1")) == {RuleRef("first", "/first.md"), RuleRef("third", "/third.md")}
    assert earlier.of_session("s1") == ()
    assert earlier.of_session("s3") == ()
    assert earlier.of_session("") == ()


@pytest.mark.parametrize(("session", "fires"), [("s1", False), ("s2", True)])
def test_a_rule_does_not_fire_again_in_a_session_that_has_its_body(
    tmp_path: Path, session: str, *, fires: bool
) -> None:
    known = rules(no_old="---\ncondition: deprecated_module\n---\nUse new_module.\n")
    (rule,) = known.rules
    event = InjectionCommitted("t1", 1, injected("x").injection, (rule.name,), rule_paths=(rule.path,))
    write_log(tmp_path, 1, AgentSessionIdentified("s1"), event)
    earlier = EarlierInjections(tmp_path, None)
    observer = Observer(
        lambda _: known,
        MemoryLog(),
        settings=Settings(),
        matching=Matching.STABLE,
        injected_before=earlier.of_session,
    )
    observer.feed([SessionSeen(session, "/w")], 1)
    begun, answer = PartsTracker().ensure_answer()
    notices = observer.feed([*begun, *answer.add_complete_prose(Source.TEXT, "deprecated_module")], 1)
    assert any(isinstance(notice, TriggerNotice) for notice in notices) is fires
