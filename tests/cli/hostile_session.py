"""The log of a session in which each text is hostile."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.hostile_project import CONTROLS, VALUE
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.rules.stream import Excerpt, Source
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.suppressed import SuppressedRule, Suppression
from ttsr_ls.session.history.trigger_location import Extent, Target
from ttsr_ls.session.history.turn import Injection, InjectionKind, InterruptedByRules, Interruption, TurnFailed
from ttsr_ls.session.history.turn_events import (
    InjectionCommitted,
    ModelCall,
    OutputInterrupted,
    RulesLoaded,
    RuleTriggered,
    StepAppended,
    Text,
    TriggersSuppressed,
    TurnEnded,
    TurnEvent,
    TurnStarted,
    UserInput,
)
from ttsr_ls.session.history.turn_output import ToolCall
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.session_dirs import session_file, workspace_folder
from ttsr_ls.store.log.turn_log import TurnLog
from ttsr_ls.text import Position

LOGGED_SESSION = "logged"


def log_hostile_session(state: Path, project: Path) -> None:
    """Writes the log of a session in the project in which each text is hostile."""
    excerpt = Excerpt(VALUE, 0, 5)
    target = Target(VALUE, Extent.WHOLE, Position(0, 0), Position(0, 1), VALUE)
    call = ToolCall("c", VALUE, json.dumps({"path": VALUE}))
    interruption = Interruption("main", 0, InterruptedByRules((VALUE,)), ContextMode.DISCARD)
    path = session_file(workspace_folder(state, project), 1_000, LOGGED_SESSION)
    events: tuple[TurnEvent, ...] = (
        RulesLoaded((), "stable"),
        TurnStarted("t", UserInput(VALUE)),
        RuleTriggered("t", 0, "main", VALUE, VALUE, VALUE, 0, Source.TOOL, VALUE, "c", target, 0, 5, 5, excerpt, True),
        OutputInterrupted("t", 2, interruption),
        StepAppended("t", 0, ModelCall("main", VALUE, (Text(VALUE), call), complete=False)),
        InjectionCommitted("t", 3, Injection("main", InjectionKind.INTERRUPT, Role.USER, VALUE), (VALUE,)),
        StepAppended("t", 1, ModelCall("main", VALUE, (Text(CONTROLS),), complete=True)),
        TriggersSuppressed("t", (SuppressedRule(VALUE, Suppression.SILENCED, 2),)),
        TurnEnded("t", TurnFailed(VALUE)),
    )
    with TurnLog.open(path, Header(path.stem, VALUE, str(project), 1_000, VALUE)) as log:
        for event in events:
            log.append(event, 1_000)
