"""The transition table: the machine makes exactly its transitions."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.session.lifecycle.machine import EXAMPLES, PATHS, DrivenMachine
from ttsr_ls.errors import UsageError
from ttsr_ls.session.history.turn_events import (
    CallDone,
    Text,
)
from ttsr_ls.session.lifecycle.transition_table import POSSIBLE_WITHOUT_LOG, TABLE
from ttsr_ls.session.lifecycle.transitions import (
    LifecycleInput,
    OutputFinished,
    Phase,
    RetryTimerFired,
    RetryWithoutInjection,
    StopTurn,
    ToolFinished,
)


@pytest.mark.parametrize("action", EXAMPLES, ids=lambda item: type(item).__name__)
def test_inputs_lead_to_the_phases_of_the_table_and_others_raise(action: LifecycleInput) -> None:
    for phase in Phase:
        driven = DrivenMachine(*PATHS[phase])
        assert driven.phase is phase
        before = (driven.machine.position, driven.machine.transient)
        allowed_phases = TABLE[type(action)].get(phase)
        if allowed_phases is None:
            with pytest.raises(UsageError, match=phase.value):
                driven.machine.decide(action)
            assert (driven.machine.position, driven.machine.transient) == before, phase
        else:
            driven.tr(action)
            assert driven.phase in allowed_phases, phase


def test_the_table_has_every_input() -> None:
    assert set(TABLE) == set(get_args(LifecycleInput)) == {type(example) for example in EXAMPLES}
    assert set(POSSIBLE_WITHOUT_LOG) < set(TABLE)


def test_every_transition_of_the_table_is_reachable() -> None:
    seen: set[tuple[type[LifecycleInput], Phase, Phase]] = set()
    more: tuple[LifecycleInput, ...] = (
        OutputFinished("m", (Text("x"),)),
        ToolFinished("b", CallDone("ok")),
        RetryTimerFired(2),
        RetryWithoutInjection(2),
    )
    paths = [
        *PATHS.values(),
        (*PATHS[Phase.TOOLS], ToolFinished("b", CallDone("ok"))),
        (*PATHS[Phase.ANSWERING], StopTurn()),
    ]
    for path in paths:
        for action in (*EXAMPLES, *more):
            driven = DrivenMachine(*path)
            before = driven.phase
            if before in TABLE[type(action)] and not (isinstance(action, ToolFinished) and action.call == path[-1:]):
                try:
                    driven.tr(action)
                except UsageError:
                    continue
                seen.add((type(action), before, driven.phase))
    transitions = {(kind, phase, to) for kind, leads in TABLE.items() for phase, ends in leads.items() for to in ends}
    assert transitions == seen
