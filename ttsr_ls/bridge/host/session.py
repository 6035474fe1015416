"""A session to embed in an agent loop: rules are matched against its streams, and all its events are recorded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import Any, Self

from msgspec.structs import replace

from ttsr_ls.bridge.host import arguments
from ttsr_ls.bridge.host.broadcast import Broadcast
from ttsr_ls.bridge.host.events import LogIncomplete, SessionEvent
from ttsr_ls.bridge.host.logs import OpenLog, check_readable, memory_log, open_log
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.host.rule_reload import RuleReload, opening_records
from ttsr_ls.bridge.host.session_core import Clock, SessionCore
from ttsr_ls.bridge.host.session_matchers import session_matchers
from ttsr_ls.bridge.host.turns.turn import TurnRun
from ttsr_ls.bridge.host.turns.turn_request import TurnEnvironment
from ttsr_ls.bridge.rules.session_rules import Rules, SessionRules, home_folder
from ttsr_ls.bridge.watch.session_noise import session_noise_gate
from ttsr_ls.bridge.wire.decoding import build_decoder
from ttsr_ls.bridge.wire.request_encoding import api_named, encode_tools, wire_of
from ttsr_ls.errors import UsageError
from ttsr_ls.features.ttsr.feature import RuleFeature, RuleFeatureConfig
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.matching.collector import collector_paused
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.session.history.request_limits import DEFAULT_LIMITS, RequestLimits
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind, RehydratedFile, Turn, TurnTrigger
from ttsr_ls.session.history.turn_events import MAIN_AGENT, Usage
from ttsr_ls.session.history.turn_output import Image
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.lifecycle import transitions
from ttsr_ls.session.lifecycle.noise_budget import NoiseGate
from ttsr_ls.session.lifecycle.templates import Templates
from ttsr_ls.session.lifecycle.transitions import Phase
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.cache import ProjectionCache
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.session.projection.trimming import Trimming

UNDERSTOOD = "I have read the summary and go on from there."


class Session:
    """One session of one agent. Use `open`; close it, or use it as an async context manager. For one event loop."""

    def __init__(
        self,
        core: SessionCore,
        ttsr: RuleFeature,
        api: Api,
        cwd: Path,
        broadcast: Broadcast,
        log: OpenLog,
        own_search: AstProcess | None,
        system_messages: SystemMessages | None,
        reload: RuleReload,
    ) -> None:
        self._core = core
        self._ttsr = ttsr
        self._api = api
        self._cwd = cwd
        self._broadcast = broadcast
        self._log = log
        self._own_search = own_search
        self._reload = reload
        self._projection = ProjectionCache(core.fold, core.agent, lambda: wire_of(api, system_messages))
        self._trimming: Trimming | None = None
        self.sleep: Callable[[float], Any] = asyncio.sleep

    @classmethod
    async def open(
        cls,
        *,
        rules: Rules = (),
        project: str | Path | None = None,
        log: str | Path | OpenLog | None = None,
        settings: Settings | None = None,
        features: Iterable[Feature] = (),
        api: Api | str = Api.ANTHROPIC,
        agent: str = MAIN_AGENT,
        matching: Matching = Matching.STABLE,
        cwd: str | Path | None = None,
        templates: Templates | None = None,
        ast_search: AstSearch | None = None,
        on_log_failure: LogFailurePolicy = LogFailurePolicy.GO_ON,
        clock: Clock | None = None,
        limits: RequestLimits = DEFAULT_LIMITS,
        system_messages: SystemMessages | None = None,
        noise_gate: NoiseGate | None = None,
    ) -> Self:
        """Opens a session; resumes the one in the file `log`, if there is one.

        `rules` are files, folders of files, or rules that were read before. With `project`, a folder, the rules that an
        agent would find there follow, and its settings apply unless `settings` are given. Changed files are reloaded
        before a request. `cwd` is the folder of relative paths in tool calls (default: the project, or the current
        folder). Without `log` nothing is stored. `system_messages` says whether the model accepts messages with the
        role `system` amid a conversation (default: no for Anthropic's API, yes for OpenAI's). `limits` bound the
        requests of one turn. `noise_gate` decides which triggers count (default: the settings of `ttsr-ls quiet` for
        the folder), `ast_search` evaluates AST conditions (default: a process of the session's own), `on_log_failure`
        says how the session continues if the log fails later. Raises LogWriteError, RuleUnreadableError for a rule that
        cannot be read, and UsageError for a wrong argument.
        """
        check = arguments.check_options
        check(rules=rules, project=project, log=log, settings=settings, agent=agent, matching=matching, cwd=cwd)
        check(templates=templates, on_log_failure=on_log_failure, clock=clock, limits=limits)
        check(system_messages=system_messages, noise_gate=noise_gate)
        path = Path(cwd or project or "").absolute()  # noqa: ASYNC240 - asks for the current folder only
        wire = api_named(api)
        broadcast, timing = Broadcast(), Clock() if clock is None else clock
        source = await asyncio.to_thread(SessionRules, rules, project, settings, agent, timing.seconds())
        own_search = AstProcess() if ast_search is None else None
        with collector_paused():
            opened = open_log(Path(log), path, timing.now()) if isinstance(log, str | Path) else log or memory_log()
            try:
                ttsr = RuleFeature(
                    RuleFeatureConfig(
                        source.in_force.rules,
                        source.in_force.settings,
                        matching,
                        agent,
                        path,
                        home_folder(),
                        Templates() if templates is None else templates,
                        own_search if ast_search is None else ast_search,
                        noise_gate or session_noise_gate(opened.log, path, home_folder(), timing.now),
                        session_matchers,
                    )
                )
                known_features = (ttsr, *arguments.checked_features(features))
                check_readable(opened.events, known_features)
                core = SessionCore(agent, known_features, opened.log, timing, broadcast.send, on_log_failure, limits)
                core.resume(opened.events, opened.last_answer_at)
                core.recorder.record_events(opening_records(source.in_force.rules, matching, is_new=not opened.events))
                core.recorder.notify()
                kept_log = replace(opened, events=())  # Frees the events, which the history has too.
                reload = RuleReload(source, ttsr, matching, timing.seconds, core.record_rules, broadcast.send)
                session = cls(core, ttsr, wire, path, broadcast, kept_log, own_search, system_messages, reload)
                session._projection.messages(session.trimming)  # Fills the cache for the first request.
            except BaseException:
                opened.close()  # Otherwise its lock would stay until this program ends.
                raise
        return session

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The history so far, the current turn last."""
        return self._core.fold.turns

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems of the log that the session was resumed from, of settings, and of rules, in sentences.

        Includes rules that do not apply, or only in part, although no user disabled them (`RulesLoaded` in the log).
        """
        return (*self._log.problems, *self._reload.problems)

    @property
    def rule_names(self) -> tuple[str, ...]:
        """The names of the rules in force, in their order."""
        return tuple(rule.name for rule in self._ttsr.rules.rules)

    @property
    def lost_records(self) -> int:
        """The number of unwritten records. Pending ones may still be written."""
        return self._core.recorder.lost

    @property
    def messages(self) -> list[Any]:
        """The messages of a request that would be sent now, in the format of the session's API."""
        return self._projection.messages(self.trimming)

    @property
    def trimming(self) -> Trimming | None:
        """The limits beyond which requests leave out old results; None: no limits. Assignment may raise UsageError."""
        return self._trimming

    @trimming.setter
    def trimming(self, trimming: Trimming | None) -> None:
        arguments.check_trimming(trimming)
        self._trimming = trimming

    @property
    def usage(self) -> Usage:
        """The tokens of all answers and summaries on record, also if rewound or cleared; `ModelCall.usage` has each."""
        return self._core.usage.total

    @property
    def last_usage(self) -> Usage | None:
        """The tokens of the last complete answer: its `prompt_tokens` are the used part of the context window.

        None before there is an answer whose provider reports usage, and after compacting, rewinding, and clearing.
        """
        return self._core.usage.last

    @property
    def last_answer_at(self) -> int | None:
        """The time of the last recorded answer of any agent, in milliseconds since the Unix epoch; None: no answer."""
        return self._core.recorder.last_answer_at

    def messages_with(self, text: str, trimming: Trimming | None = None) -> list[dict[str, Any]]:
        """A request outside of turns, such as for a summary, with the host's last message. Raises UsageError."""
        arguments.check_request(text, trimming)
        appended = Injection(self._core.agent, InjectionKind.NOTE, Role.USER, text)
        return self._projection.messages(trimming, (appended,))

    @property
    def is_abort_pending(self) -> bool:
        """True from an interruption by rules until the retry begins or the user stops the turn: no failure to show."""
        transient = self._core.machine.transient
        return transient.phase in (Phase.ABORTING, Phase.ABORTED, Phase.WAITING) and not transient.user_interrupted

    @property
    def injected_rules(self) -> tuple[str, ...]:
        """The names of the injected rules, in the order of their last injection.

        Includes injections before the session was resumed, and excludes those that were rewound or cleared.
        """
        names = [mark.rule for mark in self._ttsr.state.injected]  # Rules of several dialects may have one name.
        return tuple(reversed(dict.fromkeys(reversed(names))))

    def turn(
        self, prompt: str | None = None, *, images: tuple[Image, ...] = (), trigger: TurnTrigger | None = None
    ) -> TurnRun:
        """Begins a turn with a user's prompt or another `trigger`."""
        environment = TurnEnvironment(
            messages=lambda: self.messages,
            offered=lambda tools: encode_tools(self._api, tools),
            decoder=lambda: build_decoder(self._api, self._cwd),
            sleep=self.sleep,
            refresh=self._reload.refresh,
        )
        return TurnRun(self._core, arguments.checked_trigger(prompt, images, trigger), environment)

    def events(self) -> AsyncIterator[SessionEvent]:
        """The events from now on, after those that no listener was notified of, until the session is closed."""
        return self._broadcast.listen()

    def on_event(self, listener: Callable[[SessionEvent], None]) -> None:
        """Calls `listener` for each event of `events`. It must not raise or block."""
        self._broadcast.call(listener)

    async def interrupt(self) -> None:
        """Stops the turn for the user. Does nothing if no turn is running."""
        if self._core.machine.phase is not Phase.CLOSED:
            self._core.handle(transitions.StopTurn())

    async def rewind(self, turn: str) -> None:
        """Rewinds to the state before that turn, including that of the rules. Raises UsageError, LogWriteError."""
        if turn not in (known.id for known in self.turns):
            raise UsageError(f"there is no turn {turn} to go back to")
        self._core.handle(transitions.RewindHistory(turn))

    async def clear(self) -> None:
        """Forgets the history and the state of rules. Raises LogWriteError."""
        self._core.handle(transitions.ClearHistory())

    async def compact(
        self,
        summary: str,
        files: Iterable[RehydratedFile] = (),
        *,
        tool: str = "read",
        acknowledgement: str = UNDERSTOOD,
        usage: Usage | None = None,
    ) -> None:
        """Replaces the history with `summary`, and shows the model `files` again. Raises UsageError, LogWriteError.

        `usage` are the tokens of the request for the summary.
        """
        arguments.check_summary(summary, tool, acknowledgement, usage)
        rehydrated = arguments.checked_files(files)
        self._core.handle(transitions.CompactHistory(summary, acknowledgement, tool, rehydrated, usage))

    async def close(self) -> None:
        """Ends the session and closes its log. Can be called twice."""
        was_open = self._core.machine.phase is not Phase.CLOSED
        try:
            self._core.handle(transitions.CloseSession())
        finally:
            if was_open and self.lost_records:
                self._core.recorder.flush()
            if was_open and self.lost_records:
                self._broadcast.send(LogIncomplete(self.lost_records))
            self._broadcast.close()
            self._log.close()
            if self._own_search is not None:
                self._own_search.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
