"""A rule that is silenced in a session is silent in every program that serves this session, and in no other one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.bridge.watch.watching import NO_OLD, rules
from tests.cli.command import ttsr_ls
from ttsr_ls.bridge.adapters.acp.adapter import AcpAdapter
from ttsr_ls.bridge.adapters.claude.transcript import ClaudeTranscriptAdapter
from ttsr_ls.bridge.adapters.turn_tracker import PartsTracker
from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, Denied, HookCall, HookKind
from ttsr_ls.bridge.agent_hooks.open_sessions import HookSessions
from ttsr_ls.bridge.control.drivers.acp import AcpDriver
from ttsr_ls.bridge.control.views import RunView
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.serving.open_sessions import ProxySessions, ProxyWorkspace
from ttsr_ls.bridge.watch.notices import SuppressedTriggerNotice, TriggerNotice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.session_noise import session_noise
from ttsr_ls.cli.run.relayed_sessions import RelayedSessions
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.output.partial_json import JsonValue
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.session_dirs import session_file, session_files, workspace_folder
from ttsr_ls.store.log.turn_log import TurnLog

SESSION = "1dce83e5-d7b5-4ec2-a7ce-af9ab5185171"
SAMPLE = Path(__file__).parents[2] / "samples" / "claude_transcript" / "session.jsonl"
BREAKS = "import deprecated_module\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def shop(project: Path, state: Path) -> Path:
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(NO_OLD)
    return project


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


class Hooks:
    def __init__(self, shop: Path, stack: ExitStack) -> None:
        self._shop = shop
        self._sessions = HookSessions(frozenset({"claude"}), print, 0.0)
        stack.callback(self._sessions.close)

    def deny(self, session: str) -> bool:
        arguments: dict[str, JsonValue] = {"file_path": f"{self._shop}/a.py", "content": BREAKS}
        call = HookCall(HookKind.BEFORE_TOOL, "PreToolUse", session, str(self._shop), tool="Write", arguments=arguments)
        answer = self._sessions.decide("claude", call).answer
        assert isinstance(answer, Allowed | Denied)
        return isinstance(answer, Denied)

    def begin_and_end(self, session: str) -> None:
        for kind, event in ((HookKind.PROMPTED, "UserPromptSubmit"), (HookKind.SESSION_ENDED, "SessionEnd")):
            self._sessions.decide("claude", HookCall(kind, event, session, str(self._shop)))


def begun_watch(shop: Path, state: Path, stack: ExitStack) -> TurnLog:
    """The log of a `watch` that follows a transcript, and began after all other programs."""
    path = session_file(workspace_folder(state, shop), 4_000_000_000_000, "watch")
    log = stack.enter_context(TurnLog.open(path, Header(path.stem, "claude-transcript", str(shop), 0, "test")))
    loaded = rules(no_old=NO_OLD)
    noise = session_noise(log, shop, state)
    observer = Observer(lambda _: loaded, log, settings=Settings(), matching=Matching.STABLE, noise_limits=noise)
    observer.feed(ClaudeTranscriptAdapter().feed(SAMPLE.read_bytes()), 1)
    return log


def fires_in_relay(shop: Path, session: str, stack: ExitStack) -> bool:
    views: list[RunView] = []
    relayed = RelayedSessions("acp", (), True, views.append, pytest.fail, stack)
    controller = relayed.open(session, shop, AcpDriver(shop, "0"), AcpAdapter(shop))
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": BREAKS}}
    message = {"method": "session/update", "params": {"sessionId": session, "update": update}}
    views += controller.receive(json.dumps(message).encode(), 1).views
    return has_fired(views)


def fires_behind_proxy(shop: Path, session: str, stack: ExitStack) -> bool:
    sessions = ProxySessions(ProxyWorkspace("claude", shop), ProxyLimits(), print, 0.0)
    stack.callback(sessions.close)
    observer = sessions.get_or_open(session, 1).session.observer
    begun, answer = PartsTracker(shop).ensure_answer()
    return has_fired([*observer.feed([*begun, *answer.add_complete_prose(Source.TEXT, BREAKS)], 1)])


def has_fired(views: list[RunView]) -> bool:
    (found,) = (view for view in views if isinstance(view, TriggerNotice | SuppressedTriggerNotice))
    return isinstance(found, TriggerNotice)


def test_silencing_a_session_reaches_all_programs_that_serve_it(
    shop: Path, state: Path, stack: ExitStack, capsys: Capture
) -> None:
    hooks = Hooks(shop, stack)
    log = begun_watch(shop, state, stack)
    ran = ttsr_ls(capsys, "quiet", "no-old")
    assert (ran.out, ran.err) == (f"no-old is silenced in the session {log.path.stem}.\n", "")
    assert (hooks.deny(SESSION), hooks.deny("other")) == (False, True)
    assert (fires_in_relay(shop, SESSION, stack), fires_in_relay(shop, "other", stack)) == (False, True)
    assert (fires_behind_proxy(shop, SESSION, stack), fires_behind_proxy(shop, "other", stack)) == (False, True)
    ttsr_ls(capsys, "quiet", "--off")
    assert hooks.deny(SESSION)


def test_a_session_can_be_named_by_its_agents_id(shop: Path, state: Path, stack: ExitStack, capsys: Capture) -> None:
    hooks = Hooks(shop, stack)
    hooks.begin_and_end(SESSION)
    hooks.deny("other")
    begun_watch(shop, state, stack)
    # The logs of the hooks and of `watch` are of one session.
    ran = ttsr_ls(capsys, "quiet", "no-old", "--session", SESSION)
    assert (ran.status, ran.err) == (0, "")
    assert not hooks.deny(SESSION)
    assert ttsr_ls(capsys, "quiet", "no-old", "--session", SESSION[1:9]).status == 2


def test_a_running_session_is_preferred_to_later_ended_ones(
    shop: Path, state: Path, stack: ExitStack, capsys: Capture
) -> None:
    hooks = Hooks(shop, stack)
    hooks.begin_and_end("s1")
    message = (
        "ttsr-ls: the session {} has ended, so this has no effect unless it is continued; "
        "silence the rule in later sessions with --for\n"
    )
    (ended,) = session_files(workspace_folder(state, shop))
    ran = ttsr_ls(capsys, "quiet", "no-old")
    assert (ran.status, "no session is running in this folder" in ran.err) == (2, True)
    hooks.deny("s0")
    ran = ttsr_ls(capsys, "quiet", "no-old")
    assert (ran.out.rpartition("-")[2], ran.err) == ("s0.\n", "")
    assert not hooks.deny("s0")
    ran = ttsr_ls(capsys, "quiet", "no-old", "--session", "s1")
    assert ran.err == message.format(ended.stem)
    assert not hooks.deny("s1"), "it is continued"
