"""Asks features about the tool calls of a complete answer, before any of them runs.

A denial holds even while the log fails, and is recorded once the log works. If a changed input cannot be recorded, the
call is refused, because the original input must not run.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from msgspec.structs import replace

from ttsr_ls.bridge.host.session_core import SessionCore
from ttsr_ls.session.history.turn_events import CallRefused, Output, ToolCall
from ttsr_ls.session.hooks.authority import authority_of, wrapped_message
from ttsr_ls.session.hooks.contract import ChangeInput, Deny, Feature, Note, Proceed, ToolCallContext
from ttsr_ls.session.lifecycle.transitions import ChangeToolInput, ToolFinished
from ttsr_ls.store.log.turn_log import LogWriteError

NOT_RECORDED = "The input of this call was to be changed, which could not be recorded, so the call was not run."
"""The result of a call whose changed input could not be recorded."""

NOT_CHECKED = "The check of this call was cancelled, so the call was not run."
"""The result of a call that must not run, because features did not finish deciding about it."""


async def check_calls(core: SessionCore, output: Iterable[Output]) -> None:
    """Asks features about the calls without a result, in order, until the user stops the turn or rewinds."""
    turn, answer = core.machine.position.turn, core.machine.transient.answer
    for call in output:
        if isinstance(call, ToolCall) and core.is_pending(call):
            await _check(core, call)
        if (core.machine.position.turn, core.machine.transient.answer) != (turn, answer):
            return


def refuse_unchecked_calls(core: SessionCore) -> None:
    """Refuses the calls without a result, because their check did not finish, if a feature checks calls at all."""
    if core.features.checks_calls:
        refuse_calls(core, core.machine.transient.unfinished_calls, CallRefused(NOT_CHECKED))


def refuse_calls(core: SessionCore, calls: Iterable[str], result: CallRefused) -> None:
    """Records this result for those of `calls` that have none. Features are not asked, because this cannot wait."""
    for call in calls:
        if call in core.machine.transient.unfinished_calls:
            with suppress(LogWriteError):  # The refusal holds, and is recorded once the log works.
                core.handle(ToolFinished(call, result))


async def _check(core: SessionCore, call: ToolCall) -> None:
    turn, answer = core.machine.position.turn, core.machine.transient.answer
    if turn is None:
        return

    def context(call: ToolCall) -> ToolCallContext:
        return ToolCallContext(turn, answer, core.agent, call.id, call.tool, call.arguments)

    asked = core.features.ask_all(
        "before_tool_call",
        (Proceed, Note, Deny, ChangeInput),
        lambda feature: feature.before_tool_call(context(current_call(core, call))),
    )
    async for feature, result in asked:
        if not core.is_pending(call):
            return
        match result:
            case Note():
                core.note(result.records)
            case Deny():
                core.note(result.records)
                await core.on_tool_result(call, _denied(feature, result.message))
                return
            case ChangeInput() if result.arguments != current_call(core, call).arguments:
                change = ChangeToolInput(call.id, feature.name, result.arguments, result.records)
                if not core.try_handle(change):
                    await core.on_tool_result(call, _denied(feature, NOT_RECORDED))
                    return
            case _:
                pass


def current_call(core: SessionCore, call: ToolCall) -> ToolCall:
    """Returns the call with its current arguments, which features may have changed."""
    item = core.fold.open_call(core.machine.transient.batch, call.id)
    return call if item is None or item.arguments is None else replace(call, arguments=item.arguments)


def _denied(feature: Feature, message: str) -> CallRefused:
    return CallRefused(wrapped_message(feature.name, authority_of(feature), message), feature.name)
