"""Rules of two dialects with one name behind the proxy: in one process, after a restart, and in entries that several
processes share.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.bridge.proxy.anthropic_client import AnthropicClient
from tests.bridge.proxy.anthropic_model import AnthropicModel, Block, sse, text, write
from tests.bridge.proxy.proxied import Proxied, run
from tests.bridge.watch.watching import same_named_rules
from ttsr_ls.bridge.adapters.turn_tracker import PartsTracker
from ttsr_ls.bridge.proxy.ledger.entry import NextEntry, ToolEntry
from ttsr_ls.bridge.proxy.ledger.shared_entry import SharedEntry
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import AnswerRetried, ReminderAdded
from ttsr_ls.bridge.proxy.serving.open_sessions import ProxySessions, ProxyWorkspace
from ttsr_ls.bridge.proxy.serving.shared_state import RedisEntries
from ttsr_ls.bridge.watch.trigger_texts import rule_refs_of
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import InjectionCommitted

OMP, LEGACY, PI = "/r/omp/same.md", "/r/old/same.md", "/r/pi/same.md"
BODIES = {OMP: "Body of omp.", LEGACY: "Body of old omp.", PI: "Body of pi."}
ENTRY = ToolEntry("t9", "Use new_module.")


class ListClient:
    """The commands of a Redis client that `RedisEntries` calls, on lists in memory."""

    def __init__(self) -> None:
        self.lists: dict[str, list[bytes]] = {}

    def rpush(self, key: str, item: bytes) -> None:
        self.lists.setdefault(key, []).append(item)

    def expire(self, key: str, seconds: int) -> None:
        pass

    def lrange(self, key: str, first: int, last: int) -> list[bytes]:
        return self.lists.get(key, [])[first:]


def injected(proxied: Proxied) -> list[str]:
    """The rules in the requests to the model, in order of their first request."""
    seen: list[str] = []
    for body in proxied.sent:
        seen += [path for path, rule_body in BODIES.items() if rule_body.encode() in body and path not in seen]
    return seen


@pytest.mark.parametrize(
    ("first", "second", "rule_path"),
    [
        (write("import old_module\n"), write("import new_module\n"), LEGACY),
        (text("I import older_module."), text("I import new_module."), PI),
    ],
)
def test_an_injected_rule_of_another_dialect_does_not_silence_a_rule_of_oh_my_pi_with_its_name(
    first: Block, second: Block, rule_path: str
) -> None:
    proxied = Proxied(same_named_rules())
    run(proxied, [[first], [second], [text("Done.")]])
    assert injected(proxied) == [rule_path, OMP]
    records = [event for event in proxied.log.events if isinstance(event, InjectionCommitted)]
    assert [(record.rules, record.rule_paths) for record in records] == [(("same",), (rule_path,)), (("same",), (OMP,))]


@pytest.mark.parametrize(
    ("answer", "rule_path"),
    [
        (write("import old_module, new_module\n"), LEGACY),
        (text("I import older_module and new_module."), PI),
    ],
)
def test_a_reminder_has_the_bodies_of_both_rules_with_one_name(answer: Block, rule_path: str) -> None:
    proxied = Proxied(same_named_rules(), Settings(max_interrupts=0))
    client = run(proxied, [[answer], [text("Written.")]][: 2 if answer["type"] == "tool_use" else 1])
    client.say("And now?")
    run(proxied, [[text("Nothing.")]], client)
    assert sorted(injected(proxied)) == sorted([rule_path, OMP])
    assert set(proxied.notices) == {ReminderAdded(("same",), is_degraded=degraded) for degraded in (True, False)}


def test_rules_with_one_name_have_retry_limits_of_their_own() -> None:
    proxied = Proxied(same_named_rules(), limits=ProxyLimits(retries_per_rule=1))
    run(proxied, [[write("import old_module\n")], [write("import new_module\n")], [write("x\n")], [text("Written.")]])
    assert [type(notice) for notice in proxied.notices] == [AnswerRetried, AnswerRetried]


@pytest.mark.parametrize(("rule_path", "fires"), [(PI, True), (LEGACY, True), (OMP, False), ("/gone/same.md", False)])
def test_a_shared_entry_marks_the_rule_with_its_path(rule_path: str, *, fires: bool) -> None:
    client = ListClient()
    RedisEntries(client, "s1").append(SharedEntry(ENTRY, ("same",), "main", (rule_path,)))
    assert fires_after(client) is fires


def test_a_shared_entry_without_paths_marks_all_rules_with_its_name() -> None:
    client = ListClient()
    old = {"entry": {"type": "tool", "call": "t9", "reminder": "Use."}, "rules": ["same"], "agent": "main"}
    client.rpush("s1", msgspec.json.encode(old))
    assert not fires_after(client)


def test_a_shared_entry_of_a_later_version_is_read_or_skipped() -> None:
    client = ListClient()
    later: dict[str, Any] = msgspec.to_builtins(SharedEntry(ENTRY, ("same",), "main", (PI,)))
    client.rpush("s1", msgspec.json.encode({**later, "added_later": 1}))
    client.rpush("s1", msgspec.json.encode({**later, "entry": {"type": "added-later"}}))
    entries = RedisEntries(client, "s1")
    assert entries.read() == [SharedEntry(ENTRY, ("same",), "main", (PI,))]


def test_a_process_marks_the_rules_that_another_one_injected_by_their_paths() -> None:
    client = ListClient()
    first = Proxied(same_named_rules(), shared=RedisEntries(client, "s1"))
    run(first, [[write("import old_module\n")], [write("x\n")], [text("Written.")]])
    assert injected(first) == [LEGACY]
    assert fires_after(client)


@pytest.mark.parametrize(("module", "fires"), [("older_module", True), ("new_module", False)])
def test_a_resumed_session_marks_the_injected_rule_and_not_another_with_its_name(
    shop: Path, module: str, *, fires: bool
) -> None:
    (shop / ".omp" / "rules" / "same.md").write_text("---\ncondition: new_module\n---\nBody of omp.\n")
    (shop / ".pi" / "rules").mkdir(parents=True)
    (shop / ".pi" / "rules" / "same.md").write_text("---\ntrigger: older_module\n---\nBody of pi.\n")
    for text_of_run, expected in ((module, True), ("new_module", fires)):
        sessions = ProxySessions(ProxyWorkspace("claude", shop), ProxyLimits(), print, 0.0)
        session = sessions.get_or_open("s1", 1).session
        begun, answer = PartsTracker(shop).ensure_answer()
        triggers = session.feed([*begun, *answer.add_complete_prose(Source.TEXT, text_of_run)], 2)
        assert bool(triggers) is expected
        if triggers:
            rules, entry = rule_refs_of(triggers), NextEntry("n1", "anthropic", "a", (), "Use.", False)
            session.log.record_injection("main", InjectionKind.REMINDER, "Use.", False, rules, entry, 3)
        sessions.close()


def fires_after(client: ListClient) -> bool:
    """Returns whether the rule of oh-my-pi fires in a process that reads these entries."""
    proxied = Proxied(same_named_rules(), shared=RedisEntries(client, "s1"))
    proxied.session.read_shared_entries()
    model = AnthropicModel([[text("I import new_module.")], [text("Done.")]])
    proxied.ask(AnthropicClient().request(), lambda body: sse(model.answer(json.loads(body))))
    return bool(proxied.notices)
