"""The table of the lifecycle: what is in it happens as it says, and nothing else happens."""

from __future__ import annotations

from typing import get_args

import pytest

from tests.session.lifecycle.machine import EXAMPLES, WAY, Tried
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


@pytest.mark.parametrize("happened", EXAMPLES, ids=lambda item: type(item).__name__)
def test_what_is_in_the_table_leads_where_it_says_and_nothing_else_happens(happened: LifecycleInput) -> None:
    for phase in Phase:
        tried = Tried(*WAY[phase])
        assert tried.phase is phase
        before = (tried.machine.position, tried.machine.transient)
        leads_to = TABLE[type(happened)].get(phase)
        if leads_to is None:
            with pytest.raises(UsageError, match=phase.value):
                tried.machine.decide(happened)
            assert (tried.machine.position, tried.machine.transient) == before, phase
        else:
            tried.tr(happened)
            assert tried.phase in leads_to, phase


def test_the_table_knows_all_that_can_happen() -> None:
    assert set(TABLE) == set(get_args(LifecycleInput)) == {type(example) for example in EXAMPLES}
    assert set(POSSIBLE_WITHOUT_LOG) < set(TABLE)


def test_every_way_of_the_table_is_gone_by_somebody() -> None:
    seen: set[tuple[type[LifecycleInput], Phase, Phase]] = set()
    more: tuple[LifecycleInput, ...] = (
        OutputFinished("m", (Text("x"),)),
        ToolFinished("b", CallDone("ok")),
        RetryTimerFired(2),
        RetryWithoutInjection(2),
    )
    ways = [*WAY.values(), (*WAY[Phase.TOOLS], ToolFinished("b", CallDone("ok"))), (*WAY[Phase.ANSWERING], StopTurn())]
    for way in ways:
        for happened in (*EXAMPLES, *more):
            tried = Tried(*way)
            before = tried.phase
            if before in TABLE[type(happened)] and not (
                isinstance(happened, ToolFinished) and happened.call == way[-1:]
            ):
                try:
                    tried.tr(happened)
                except UsageError:
                    continue
                seen.add((type(happened), before, tried.phase))
    ways_of_table = {(kind, phase, to) for kind, leads in TABLE.items() for phase, ends in leads.items() for to in ends}
    assert ways_of_table == seen
