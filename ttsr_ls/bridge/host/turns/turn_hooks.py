"""Asks features how to continue a turn after an interrupted answer, and notifies them of its end."""

from __future__ import annotations

from ttsr_ls.bridge.host.session_core import SessionCore
from ttsr_ls.session.history.turn_events import Output, TurnOutcome
from ttsr_ls.session.hooks.authority import injections_of_feature
from ttsr_ls.session.hooks.contract import AbortedContext, Note, PendingInjection, Proceed, Resume, TurnContext
from ttsr_ls.session.lifecycle.transitions import Phase, ScheduleRetry


async def ask_on_aborted(core: SessionCore, output: tuple[Output, ...]) -> None:
    """Asks features how to continue after an answer that they interrupted."""
    rules = tuple(dict.fromkeys(name for _, names in core.machine.transient.matched_calls for name in names))
    context = AbortedContext(core.turn, core.machine.transient.answer, core.agent, output, rules)
    token = core.machine.transient.token
    messages, after = list[PendingInjection](), list[float]()
    answers = core.features.ask_all("on_aborted", (Proceed, Resume), lambda feature: feature.on_aborted(context))
    async for feature, result in answers:
        if isinstance(result, Resume):
            messages += injections_of_feature(feature, result.injections, ())
            after.append(result.after)
    if after and core.machine.phase is Phase.ABORTED and not core.is_stale(token):
        core.handle(ScheduleRetry(tuple(messages), max(after)))


async def ask_on_turn_end(core: SessionCore, outcome: TurnOutcome) -> None:
    """Shows features how the turn is about to end."""
    context = TurnContext(core.turn, core.agent, outcome)
    token = core.machine.transient.token
    answers = core.features.ask_all("on_turn_end", (Proceed, Note), lambda feature: feature.on_turn_end(context))
    async for _, result in answers:
        if core.is_stale(token):
            return
        if isinstance(result, Note):
            core.note(result.records)
