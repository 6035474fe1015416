"""The one table of the lifecycle: in which phases something may happen, and into which it may lead.

Whatever is not in it is a usage error and changes nothing. docs/lifecycle.md shows it; a test keeps the two the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ttsr_ls.session.lifecycle.phases import (
    Answered,
    Ask,
    Broken,
    ChangeToolInput,
    Clear,
    Close,
    Compact,
    Cut,
    Due,
    End,
    GoOn,
    Hold,
    Input,
    Phase,
    Remind,
    Rewind,
    Settle,
    Start,
    Stop,
    Tell,
)

IDLE, READY, ANSWERING, ABORTING, ABORTED, WAITING, TOOLS, DONE, CLOSED = Phase

TABLE: Mapping[type[Input], Mapping[Phase, tuple[Phase, ...]]] = MappingProxyType(
    {
        Start: {IDLE: (READY,)},
        Ask: {READY: (ANSWERING,)},
        # A second match while the stream is being closed joins the first.
        Cut: {ANSWERING: (ABORTING,), ABORTING: (ABORTING,)},
        # An answer may be complete before its stream could be closed; it was cut off all the same.
        Answered: {ANSWERING: (TOOLS, DONE), ABORTING: (ABORTED, DONE)},
        Broken: {ANSWERING: (DONE,), ABORTING: (ABORTED, DONE)},
        Hold: {ABORTED: (WAITING,)},
        # A `Due` of an earlier waiting comes whenever it comes, and does nothing.
        Due: {phase: (READY, WAITING) if phase is WAITING else (phase,) for phase in Phase},
        GoOn: {WAITING: (READY, WAITING)},
        Tell: {READY: (READY,), TOOLS: (TOOLS,), DONE: (READY,)},
        Remind: {TOOLS: (TOOLS,)},
        ChangeToolInput: {TOOLS: (TOOLS,)},
        Settle: {TOOLS: (TOOLS, READY)},
        Stop: {
            IDLE: (IDLE,),
            READY: (DONE,),
            ANSWERING: (ABORTING,),
            ABORTING: (ABORTING,),
            ABORTED: (DONE,),
            WAITING: (DONE,),
            TOOLS: (DONE,),
            DONE: (DONE,),
        },
        Compact: {IDLE: (IDLE,), READY: (READY,), DONE: (DONE,)},
        End: dict.fromkeys((READY, ABORTED, WAITING, TOOLS, DONE), (IDLE,)),
        Rewind: {phase: (IDLE,) for phase in Phase if phase is not CLOSED},
        Clear: {phase: (IDLE,) for phase in Phase if phase is not CLOSED},
        Close: dict.fromkeys(Phase, (CLOSED,)),
    }
)

HAPPENS_ANYWAY = (Start, Ask, Answered, Broken, Settle, Stop, End, Close)
"""What happens whether or not it can be put on record at once. All else is decided, and happens on record or not at
all."""

COMES_BETWEEN = (Stop, Rewind, Clear, Close)
"""What makes the results of hooks that are asked, and a retry that is due, unwanted."""
