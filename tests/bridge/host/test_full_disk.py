"""On a full disk, each operation of a session is atomic."""

from __future__ import annotations

import pytest

from tests.bridge.host.driving import FINE, OLD, PUSH, Run, ShakyLog, run_on
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.session.history.turn import RehydratedFile
from ttsr_ls.session.history.turn_events import TurnCompleted
from ttsr_ls.session.history.turn_fold import fold
from ttsr_ls.store.log.turn_log import LogWriteError

FILES = [RehydratedFile('{"path": "a.py"}', "x = 1")]


def history(run: Run) -> list[tuple[str, str, int]]:
    return [(turn.id, type(turn.state).__name__, len(turn.steps)) for turn in run.session.turns]


async def test_a_compaction_that_cannot_be_recorded_has_no_effect_and_can_be_repeated() -> None:
    for fails in range(1, 3):
        log = ShakyLog()
        run = await run_on(log)
        await run.turn(FINE)
        log._fails = frozenset({log.asked + fails})
        before = (history(run), run.session.messages)
        if fails == 1:
            with pytest.raises(LogWriteError):
                await run.session.compact("All before.", FILES)
            assert (history(run), run.session.messages) == before
        await run.session.compact("All before.", FILES)
        await run.turn(OLD, FINE)
        assert history(run)[1:2] == [("t2", "TurnIdle", 2)]
        assert {state for _, state, _ in history(run)} == {"TurnCompleted", "TurnIdle"}
        assert fold(log.events).turns == run.session.turns
        assert not fold(log.events).problems


async def test_a_turn_that_cannot_be_recorded_leaves_a_strict_session_idle_without_the_prompt() -> None:
    """Seed 003, A2: no orphan prompt. Once the disk works again, the next turn begins."""
    log = ShakyLog(fails=(2, 3))
    run = await run_on(log, on_log_failure=LogFailurePolicy.STOP)
    for _ in range(2):
        with pytest.raises(LogWriteError):
            await run.turn(FINE, prompt="lost")
        assert run.session.turns == ()
        assert run.session.messages == []
    await run.turn(FINE, prompt="kept")
    assert history(run) == [("t1", "TurnCompleted", 1)]
    assert "lost" not in str(run.session.messages)
    assert fold(log.events).turns == run.session.turns


@pytest.mark.parametrize("fails", range(2, 12))
async def test_a_strict_session_agrees_with_its_log_after_a_failure_at_any_append(fails: int) -> None:
    log = ShakyLog(fails=(fails,))
    run = await run_on(log, on_log_failure=LogFailurePolicy.STOP)
    failed = 0
    for _ in range(2):
        try:
            await run.turn(PUSH, OLD, FINE)
        except LogWriteError:
            failed += 1
    assert failed == 1
    await run.turn(FINE)
    assert run.session.turns[-1].state == TurnCompleted()
    assert fold(log.events).turns == run.session.turns
    assert not fold(log.events).problems


async def test_no_part_of_an_answer_is_lost_if_its_first_record_fails() -> None:
    log = ShakyLog(fails=(3,))  # Rules, turn, answer: and then its calls.
    run = await run_on(log, rules={}, on_log_failure=LogFailurePolicy.STOP)
    with pytest.raises(LogWriteError):
        await run.turn(PUSH)
    await run.turn(FINE)
    kinds = [type(step.content).__name__ for step in run.session.turns[0].steps]
    assert kinds == ["ModelCall", "ToolBatch"]
    assert fold(log.events).turns == run.session.turns
