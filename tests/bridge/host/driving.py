"""A minimal host, a scripted model, and a log that can fail, or end with its process, at any append."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from tests.bridge.wire.provider_answers import Event, Part, answer
from tests.session.projection.whole import conversation, trimmed
from ttsr_ls.bridge.host.events import SessionEvent
from ttsr_ls.bridge.host.logs import OpenLog
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.host.session_core import Clock
from ttsr_ls.features.ttsr.feature import RuleFeature
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn_events import Text, ToolCall, TurnEvent
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.lifecycle.rule_state import AgentRuleState
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.rules.rules_by_dialect import Registered, RulesByDialect, compose
from ttsr_ls.store.log.codec import Record
from ttsr_ls.store.log.turn_log import LogWriteError
from ttsr_ls.syntax.reader import read_rule

NO_OLD = "condition: deprecated_module"
NO_ANY = 'condition: ":\\\\s*any\\\\b"\nscope: tool:write(*.ts)'
NO_PUSH = "condition: git push\nscope: tool:bash\ninterruptMode: never"
NO_SORRY = "condition: sorry\ninterruptMode: never"
RULES = {"no-old": NO_OLD, "no-any": NO_ANY, "no-push": NO_PUSH, "no-sorry": NO_SORRY}

FINE = (Text("All is well."),)
OLD = (Text("I import deprecated_module here."),)
SORRY = (Text("I am sorry."),)
PUSH = (Text("Now."), ToolCall("p1", "bash", '{"command": "git push"}'))
TYPED = (
    ToolCall("r1", "read", '{"path": "/w/b.ts"}'),
    ToolCall("w1", "write", '{"path": "/w/a.ts", "content": "let x: any = 1"}'),
)


class Killed(BaseException):
    """The process was killed."""


class ShakyLog:
    """A log in memory. Appends are counted from 1.

    Those in `fails` fail. At append number `dies_at` the process is killed, before the line is on disk or, if
    `written`, after it; later appends are impossible. Append number `breaks_at` and all later ones fail, although the
    line of the first is on disk.
    """

    def __init__(
        self,
        events: Iterable[TurnEvent] = (),
        fails: Iterable[int] = (),
        dies_at: int = 0,
        *,
        written: bool = False,
        breaks_at: int = 10**9,
    ) -> None:
        self._breaks_at = breaks_at
        self.events = list(events)
        self.asked = 0
        self._fails = frozenset(fails)
        self._dies_at = dies_at
        self._written = written
        self._dead = False

    def append(self, event: TurnEvent, time: int) -> Record:
        self.asked += 1
        if self._dead:
            raise Killed
        if self.asked == self._dies_at:
            self._dead = True
            if self._written:
                self.events.append(event)
            raise Killed
        if self.asked == self._breaks_at:
            self.events.append(event)
        if self.asked in self._fails or self.asked >= self._breaks_at:
            raise LogWriteError("the disk is full")
        self.events.append(event)
        return Record(len(self.events), time, event)

    def opened(self) -> OpenLog:
        """Returns the log as a session opens it."""
        return OpenLog(self, tuple(self.events), (), lambda: None)


def session_rules(rules: dict[str, str], settings: Settings | None = None) -> RulesByDialect:
    registered: list[Registered] = [registered_rule(name, text) for name, text in rules.items()]
    return compose(registered, settings or Settings(), "main")


@cache  # Thousands of sessions have the same few rules.
def registered_rule(name: str, text: str) -> Registered:
    return register(read_rule(f"---\n{text}\n---\nBody of {name}.\n", name=name, path=f"/w/rules/{name}.md"), "extra")


class Run:
    """A session with the requests to its model and the notifications of its user."""

    def __init__(self, session: Session, log: ShakyLog) -> None:
        self.session = session
        self.log = log
        self.sent: list[list[Event]] = []
        self.seen: list[Event] = []
        self.notifications: list[SessionEvent] = []
        self.sleeps: list[float] = []
        self.during_sleep: Callable[[], object] | None = None
        session.on_event(self.notifications.append)
        session.sleep = self._sleep

    async def _sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        await asyncio.sleep(0)
        if self.during_sleep is not None:
            happening = self.during_sleep()
            if asyncio.iscoroutine(happening):
                await happening

    @property
    def state(self) -> AgentRuleState:
        ttsr = next(feature for feature in self.session._core.features._features if isinstance(feature, RuleFeature))
        return ttsr.state

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.notifications]

    async def turn(self, *answers: tuple[Part, ...], prompt: str = "go") -> None:
        """Plays a turn with these answers of the model, then `FINE`. The result of each tool call is `fine`."""
        script = list(answers)
        async with self.session.turn(prompt) as turn:
            async for request in turn:
                assert request.messages == projected(self.session)
                self.sent.append(request.messages)
                parts = script.pop(0) if script else FINE
                async for event in request.watch(stream_of(self.session._api, parts)):
                    self.seen.append(event)
                for call in request.calls:
                    await request.result(call.id, "fine")


def projected(session: Session) -> list[Event]:
    """Projects the whole history to messages, without the cache of earlier requests."""
    items = conversation(session.turns, session._core.agent, top=session._core.agent)
    wire = session._projection._new_wire()
    for item in items if session.trimming is None else trimmed(items, session.trimming):
        wire.add(item)
    wire.finish()
    return wire.messages


async def stream_of(api: Api, parts: tuple[Part, ...]) -> AsyncIterator[Event]:
    for event in answer(api, list(parts), _pieces):
        yield event


def _pieces(text: str) -> list[str]:
    size = max(5, len(text) // 1_000)
    return [text[position : position + size] for position in range(0, len(text), size)]


async def run_on(
    log: ShakyLog | None = None,
    rules: dict[str, str] | RulesByDialect | None = None,
    settings: Settings | None = None,
    features: Iterable[Feature] = (),
    **options: Any,
) -> Run:
    """Opens a session on a log, and resumes it if the log has events."""
    known = ShakyLog() if log is None else log
    dialect = rules if isinstance(rules, RulesByDialect) else session_rules(RULES if rules is None else rules, settings)
    ticks = iter(range(1, 10**9))
    session = await Session.open(
        rules=dialect,
        log=known.opened(),
        settings=settings,
        features=features,
        cwd=Path("/w"),
        clock=Clock(lambda: next(ticks), lambda: 0.0),
        **options,
    )
    return Run(session, known)
