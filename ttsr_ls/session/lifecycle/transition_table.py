"""The one table of the lifecycle: the phases in which an input is valid, and the phases that it may lead to.

Any other input is a usage error and changes nothing. docs/lifecycle.md shows the table; a test keeps both equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ttsr_ls.session.lifecycle.transitions import (
    AddToolReminder,
    ChangeToolInput,
    ClearHistory,
    CloseSession,
    CompactHistory,
    EndTurn,
    Inject,
    InterruptOutput,
    LifecycleInput,
    OutputFailed,
    OutputFinished,
    Phase,
    RequestSent,
    RetryTimerFired,
    RetryWithoutInjection,
    RewindHistory,
    ScheduleRetry,
    StartTurn,
    StopTurn,
    ToolFinished,
)

IDLE, READY, ANSWERING, ABORTING, ABORTED, WAITING, TOOLS, DONE, CLOSED = Phase

TABLE: Mapping[type[LifecycleInput], Mapping[Phase, tuple[Phase, ...]]] = MappingProxyType(
    {
        StartTurn: {IDLE: (READY,)},
        RequestSent: {READY: (ANSWERING,)},
        # A second match while the stream is being closed joins the first.
        InterruptOutput: {ANSWERING: (ABORTING,), ABORTING: (ABORTING,)},
        # An answer may be complete before its stream could be closed; it counts as interrupted all the same.
        OutputFinished: {ANSWERING: (TOOLS, DONE), ABORTING: (ABORTED, DONE)},
        OutputFailed: {ANSWERING: (DONE,), ABORTING: (ABORTED, DONE)},
        ScheduleRetry: {ABORTED: (WAITING,)},
        # The timer of a cancelled retry may fire in any phase, and does nothing.
        RetryTimerFired: {phase: (READY, WAITING) if phase is WAITING else (phase,) for phase in Phase},
        RetryWithoutInjection: {WAITING: (READY, WAITING)},
        Inject: {READY: (READY,), TOOLS: (TOOLS,), DONE: (READY,)},
        AddToolReminder: {TOOLS: (TOOLS,)},
        ChangeToolInput: {TOOLS: (TOOLS,)},
        ToolFinished: {TOOLS: (TOOLS, READY)},
        StopTurn: {
            IDLE: (IDLE,),
            READY: (DONE,),
            ANSWERING: (ABORTING,),
            ABORTING: (ABORTING,),
            ABORTED: (DONE,),
            WAITING: (DONE,),
            TOOLS: (DONE,),
            DONE: (DONE,),
        },
        CompactHistory: {IDLE: (IDLE,), READY: (READY,), DONE: (DONE,)},
        EndTurn: dict.fromkeys((READY, ABORTED, WAITING, TOOLS, DONE), (IDLE,)),
        RewindHistory: {phase: (IDLE,) for phase in Phase if phase is not CLOSED},
        ClearHistory: {phase: (IDLE,) for phase in Phase if phase is not CLOSED},
        CloseSession: dict.fromkeys(Phase, (CLOSED,)),
    }
)

POSSIBLE_WITHOUT_LOG = (
    StartTurn,
    RequestSent,
    OutputFinished,
    OutputFailed,
    ToolFinished,
    StopTurn,
    EndTurn,
    CloseSession,
)
"""The inputs that take effect even while the log fails: they are facts, or end a turn. All others are decisions, which
take effect once they are on record, or not at all."""

CANCELS_RETRY = (StopTurn, RewindHistory, ClearHistory, CloseSession)
"""The inputs that cancel running hooks and a pending retry."""
