"""Runs the hooks of features in order, each within its time limit; a feature that fails is disabled and reported.

The meaning of results is the session's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import partial
from typing import TypeVar

from ttsr_ls.bridge.host.hooks.pending_hooks import HooksStopped, PendingHooks
from ttsr_ls.errors import TtsrError, UsageError, error_text
from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.session.hooks.authority import authority_of
from ttsr_ls.session.hooks.contract import DeltaContext, DeltaResult, Feature, Interrupt, Note, Proceed
from ttsr_ls.session.hooks.feature_tools import FeatureTool, ToolDone, ToolFailed
from ttsr_ls.session.hooks.result_check import find_mistake
from ttsr_ls.session.lifecycle.unpack_records import unpack_records

_Result = TypeVar("_Result")

FOREIGN_ERRORS = (Exception, SystemExit, asyncio.CancelledError)
"""The errors of synchronous methods of features. They may raise CancelledError, but cannot be cancelled."""

DELTA_SHARE = 0.01
"""The fraction of its timeout that a feature has for one delta."""

MAX_STALLS = 2
"""How often in a session `on_delta` may exceed its time without using the processor, as on a busy machine. A feature
that uses the processor for too long is disabled at once."""


class FeatureFailedError(TtsrError):
    """A feature failed to produce a required result; the text is for the model."""


class FeatureRunner:
    """Runs the hooks of the features of one session.

    A feature whose hook fails is disabled. `report` is called with its name and the reason.
    """

    __slots__ = ("_features", "_pending", "_report", "_stalls", "delta_features")

    def __init__(self, features: Iterable[Feature], report: Callable[[str, str], None]) -> None:
        self._features = list(features)
        self._report = report
        self._pending = PendingHooks()
        self._stalls: dict[int, int] = {}
        self.delta_features: tuple[Feature, ...] = ()
        """The features that receive deltas."""
        self._find_delta_features()
        names = [feature.name for feature in self._features]
        if len(set(names)) < len(names) or not all(names):
            raise UsageError(f"two features have the same name, or one has none: {', '.join(names)}")
        tools = [tool.name for tool in self.tools]
        repeated = sorted({tool for tool in tools if tools.count(tool) > 1})
        if repeated:
            raise UsageError(f"two features have a tool of the same name: {', '.join(repeated)}")

    @property
    def tools(self) -> tuple[FeatureTool, ...]:
        return tuple(tool for feature in self._features for tool in feature.tools)

    def owner(self, tool: str) -> tuple[Feature, FeatureTool] | None:
        """Returns the feature that has the tool, and the tool; None if no feature has it."""
        found = (
            (feature, feature_tool)
            for feature in self._features
            for feature_tool in feature.tools
            if feature_tool.name == tool
        )
        return next(found, None)

    def _find_delta_features(self) -> None:
        self.delta_features = tuple(
            feature for feature in self._features if type(feature).on_delta is not Feature.on_delta
        )

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features whose hooks this runner calls."""
        return tuple(self._features)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features whose hooks this runner calls."""
        return tuple(feature.name for feature in self._features)

    @property
    def checks_calls(self) -> bool:
        """True if a feature decides about tool calls before they run."""
        return any(type(feature).before_tool_call is not Feature.before_tool_call for feature in self._features)

    def begin_session(self, agent: str) -> None:
        """Passes the session's agent to all features."""
        for feature in tuple(self._features):
            try:
                feature.begin_session(agent)
            except FOREIGN_ERRORS as error:
                self.disable(feature, error, "begin_session")

    def evolve(self, event: TurnEvent) -> None:
        """Passes recorded events to all features."""
        for feature in tuple(self._features):
            try:
                for record in unpack_records(event):
                    feature.evolve(record)
            except FOREIGN_ERRORS as error:
                self.disable(feature, error, "evolve")

    def ask_on_delta(self, feature: Feature, context: DeltaContext) -> Note | Interrupt | None:
        """Returns the result of a feature of `delta_features` for one delta; None if it has none."""
        started_at, processor_time = time.monotonic(), time.thread_time()
        try:
            result: DeltaResult = feature.on_delta(context)
            if type(result) is not Proceed:
                _check(feature, (Proceed, Note, Interrupt), result)
        except FOREIGN_ERRORS as error:
            self.disable(feature, error, "on_delta")
            return None
        limit = feature.timeout * DELTA_SHARE
        if time.monotonic() - started_at > limit:
            self._stalls[id(feature)] = stalls = self._stalls.get(id(feature), 0) + 1
            if stalls > MAX_STALLS or time.thread_time() - processor_time > limit:
                self.disable(feature, TimeoutError(f"on_delta made the stream wait for more than {limit:g} seconds"))
        return None if isinstance(result, Proceed) else result

    async def ask_all(
        self, hook: str, allowed: tuple[type, ...], ask: Callable[[Feature], Awaitable[_Result]]
    ) -> AsyncIterator[tuple[Feature, _Result]]:
        """Yields the results of all features at the hook `hook`: values of the `allowed` types other than `Proceed`.

        `stop_asking` cancels the running hook and ends the iteration. It does not affect a hook that is called later.
        """
        for feature in tuple(self._features):
            try:
                result = await self._pending.answer(feature, hook, partial(ask, feature))
                _check(feature, allowed, result)
            except HooksStopped:
                return
            except (Exception, SystemExit) as error:  # A foreign feature may raise anything.
                self.disable(feature, error, hook)
                continue
            if not isinstance(result, Proceed):
                yield feature, result

    def stop_asking(self) -> None:
        """Cancels the running hooks, whose results are no longer needed."""
        self._pending.stop()

    async def run(self, tool: FeatureTool, feature: Feature, arguments: object) -> ToolDone | ToolFailed:
        """Runs a tool of a feature. Raises `FeatureFailedError` if it fails; the feature is then disabled."""
        called = f"its tool {tool.name}"
        try:
            run = partial(tool.run, arguments)
            ran = await self._pending.answer(feature, called, run, can_stop=False)
            _check(feature, (ToolDone, ToolFailed), ran)
        except (Exception, SystemExit) as error:  # A foreign feature may raise anything.
            self.disable(feature, error, called)
            raise FeatureFailedError(f"The tool {tool.name} failed and is not there any more.") from error
        return ran

    def disable(self, feature: Feature, error: BaseException, called: str | None = None) -> None:
        """Disables a feature: its hooks and tools are no longer called. `called` is the hook or tool that failed."""
        if feature in self._features:
            self._features.remove(feature)
            self._find_delta_features()
            reason = error_text(error)
            if called is not None and not reason.startswith(f"{called} "):
                reason = f"{called}: {reason}"
            self._report(feature.name, f"The feature {feature.name} is disabled: {reason}")


def _check(feature: Feature, allowed: tuple[type, ...], result: object) -> None:
    mistake = find_mistake(feature.name, authority_of(feature), allowed, result)
    if mistake is not None:
        raise UsageError(mistake)
