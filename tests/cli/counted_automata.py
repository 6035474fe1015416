"""Counts the automata that Python's collector traverses while programs serve sessions.

`python -m tests.cli.counted_automata` prints the counts as JSON. It is a process of its own, as the programs are: they
have the collector traverse all objects, which are a million in a process that runs tests. The current folder is a
project with a rule.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ttsr_ls.bridge.adapters.acp.adapter import AcpAdapter
from ttsr_ls.bridge.agent_hooks.hook_call import HookCall, HookKind
from ttsr_ls.bridge.agent_hooks.open_sessions import HookSessions
from ttsr_ls.bridge.control.drivers.acp import AcpDriver
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.serving.open_sessions import ProxySessions, ProxyWorkspace
from ttsr_ls.cli.run.relayed_sessions import RelayedSessions
from ttsr_ls.esregex.automaton.union import UnionAutomaton

Sessions = tuple[Callable[[str], object], Callable[[str], object] | None]
"""What opens a session of this name, and what closes it."""


@contextmanager
def opened_stack() -> Iterator[ExitStack]:
    """What a program opens. The automata of the program before it are gone."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    with ExitStack() as opened:
        yield opened


def hooks(stack: ExitStack) -> Sessions:
    sessions = HookSessions(frozenset({"claude"}), ignore, 0.0)
    stack.callback(sessions.close)

    def call(kind: HookKind, event: str, session: str) -> None:
        sessions.decide("claude", HookCall(kind, event, session, str(Path.cwd())))

    return (
        lambda session: call(HookKind.PROMPTED, "UserPromptSubmit", session),
        lambda session: call(HookKind.SESSION_ENDED, "SessionEnd", session),
    )


def proxy(stack: ExitStack) -> Sessions:
    sessions = ProxySessions(ProxyWorkspace("claude", Path.cwd()), ProxyLimits(), ignore, 0.0)
    stack.callback(sessions.close)
    return lambda session: sessions.get_or_open(session, 1), sessions._close


def relay(stack: ExitStack) -> Sessions:
    shop = Path.cwd()
    relayed = RelayedSessions("acp", (), False, ignore, fail, stack)
    return lambda session: relayed.open(session, shop, AcpDriver(shop, "0"), AcpAdapter(shop)), None


def ignore(_: object) -> None:
    """Takes a message."""


def fail(message: str) -> None:
    sys.exit(message)


def collectable() -> int:
    """The number of automata that the collector would traverse."""
    return sum(isinstance(each, UnionAutomaton) for each in gc.get_objects())


def counts_when_opened(program: Callable[[ExitStack], Sessions]) -> list[int]:
    """The automata after a session was opened, and those once all objects are unfrozen."""
    with opened_stack() as stack:
        open_session, _ = program(stack)
        open_session("s1")
        counts = [collectable()]
        gc.unfreeze()
        return [*counts, collectable()]


def counts_when_reopened(program: Callable[[ExitStack], Sessions]) -> list[int]:
    """The automata of one open session, and those after four more were opened, each once the one before was closed."""
    with opened_stack() as stack:
        open_session, close = program(stack)
        assert close is not None
        open_session("s1")
        gc.unfreeze()
        gc.collect()
        counts = [collectable()]
        gc.freeze()
        for number in range(4):
            close(f"s{number + 1}")
            open_session(f"s{number + 2}")
        gc.unfreeze()
        return [*counts, collectable()]


if __name__ == "__main__":
    opened = {program.__name__: counts_when_opened(program) for program in (hooks, proxy, relay)}
    reopened = {program.__name__: counts_when_reopened(program) for program in (hooks, proxy)}
    print(json.dumps({"opened": opened, "reopened": reopened}))
