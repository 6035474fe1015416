"""Programs that serve sessions build the automata of a session before its first delta, and freeze them: a full pass of
Python's collector would traverse them all in the middle of some delta."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.bridge.watch.watching import NO_OLD
from ttsr_ls.bridge.adapters.acp.adapter import AcpAdapter
from ttsr_ls.bridge.agent_hooks.hook_call import HookCall, HookKind
from ttsr_ls.bridge.agent_hooks.open_sessions import HookSessions
from ttsr_ls.bridge.control.drivers.acp import AcpDriver
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.serving.open_sessions import ProxySessions, ProxyWorkspace
from ttsr_ls.cli.run.relayed_sessions import RelayedSessions
from ttsr_ls.esregex.automaton.union import UnionAutomaton

Sessions = tuple[Callable[[str], None], Callable[[str], None]]
"""What opens a session of this name, and what closes it."""


@pytest.fixture
def shop(project: Path) -> Path:
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(NO_OLD)
    return project


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    gc.collect()
    gc.freeze()
    with ExitStack() as opened:
        yield opened
    gc.freeze()


def hooks(shop: Path, stack: ExitStack) -> Sessions:
    sessions = HookSessions(frozenset({"claude"}), print, 0.0)
    stack.callback(sessions.close)

    def call(kind: HookKind, event: str, session: str) -> None:
        sessions.decide("claude", HookCall(kind, event, session, str(shop)))

    return (
        lambda session: call(HookKind.PROMPTED, "UserPromptSubmit", session),
        lambda session: call(HookKind.SESSION_ENDED, "SessionEnd", session),
    )


def proxy(shop: Path, stack: ExitStack) -> Sessions:
    sessions = ProxySessions(ProxyWorkspace("claude", shop), ProxyLimits(), print, 0.0)
    stack.callback(sessions.close)
    return lambda session: none(sessions.get_or_open(session, 1)), sessions._close


def relay(shop: Path, stack: ExitStack) -> Sessions:
    relayed = RelayedSessions("acp", (), False, lambda _: None, pytest.fail, stack)
    return lambda session: none(relayed.open(session, shop, AcpDriver(shop, "0"), AcpAdapter(shop))), pytest.fail


def none(_: object) -> None:
    """Ignores a result."""


def collectable() -> int:
    """The number of automata that the collector would traverse."""
    return sum(isinstance(each, UnionAutomaton) for each in gc.get_objects())


@pytest.mark.parametrize("program", [hooks, proxy, relay])
def test_the_automata_of_a_session_are_built_and_frozen_when_it_opens(
    program: Callable[[Path, ExitStack], Sessions], shop: Path, state: Path, stack: ExitStack
) -> None:
    open_session, _ = program(shop, stack)
    open_session("s1")
    assert collectable() == 0
    gc.unfreeze()
    assert collectable() > 0


@pytest.mark.parametrize("program", [hooks, proxy])
def test_objects_of_a_closed_session_are_freed_when_the_next_one_opens(
    program: Callable[[Path, ExitStack], Sessions], shop: Path, state: Path, stack: ExitStack
) -> None:
    open_session, close = program(shop, stack)
    open_session("s1")
    gc.unfreeze()
    gc.collect()
    before = collectable()
    gc.freeze()
    for number in range(4):
        close(f"s{number + 1}")
        open_session(f"s{number + 2}")
    gc.unfreeze()
    assert collectable() == before
