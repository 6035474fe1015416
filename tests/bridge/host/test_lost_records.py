"""A session reports when its log fails, when it works again, and at the end how many records are lost."""

from __future__ import annotations

import pytest

from tests.bridge.host.driving import FINE, OLD, ShakyLog, run_on
from ttsr_ls.bridge.host.events import LogFailed, LogIncomplete, LogRecovered
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.store.log.turn_log import LogWriteError


async def test_a_log_that_fails_to_the_end_is_reported_with_the_number_of_lost_records() -> None:
    run = await run_on(ShakyLog(fails=range(2, 10_000)))
    await run.turn(OLD)
    assert [event.reason for event in run.notifications if isinstance(event, LogFailed)] == ["the disk is full"]
    # The turn's start, the trigger that nobody recorded, the answer, and the turn's end.
    assert run.session.lost_records == 4
    await run.session.close()
    await run.session.close()
    assert run.notifications[-1] == LogIncomplete(4)
    assert sum(isinstance(event, LogIncomplete) for event in run.notifications) == 1


async def test_pending_records_are_written_at_the_end_if_the_log_works_again() -> None:
    log = ShakyLog(fails=(4,))
    run = await run_on(log)
    await run.turn(FINE)
    assert (run.session.lost_records, log.asked) == (1, 4)
    await run.session.close()
    assert isinstance(run.notifications[-1], LogRecovered)
    assert type(log.events[-1]).__name__ == "TurnEnded"


async def test_a_log_that_recovers_lacks_the_triggers_of_the_meantime() -> None:
    log = ShakyLog(fails=(3,))
    run = await run_on(log)
    await run.turn(OLD)
    assert run.session.lost_records == 1
    await run.session.close()
    assert run.notifications[-1] == LogIncomplete(1)


async def test_without_failures_no_event_is_about_the_log() -> None:
    run = await run_on()
    await run.turn(OLD, FINE)
    await run.session.close()
    assert not [event for event in run.notifications if isinstance(event, LogFailed | LogIncomplete | LogRecovered)]


async def test_a_strict_session_reports_lost_records() -> None:
    run = await run_on(ShakyLog(fails=range(3, 10_000)), on_log_failure=LogFailurePolicy.STOP)
    with pytest.raises(LogWriteError):
        await run.turn(FINE)
    await run.session.close()
    assert isinstance(run.notifications[-1], LogIncomplete)
