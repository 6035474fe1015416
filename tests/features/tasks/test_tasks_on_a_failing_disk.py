"""Persist first, for features: a change that cannot be put on record is not made, and is reported as failed."""

from __future__ import annotations

from tests.features.hosted import Call, run_turn, texts
from ttsr_ls.bridge.host.events import FeatureDisabled, LogFailed, LogRecovered
from ttsr_ls.bridge.host.logs import OpenLog
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.features.tasks.feature import TaskFeature
from ttsr_ls.features.tasks.reminding import ReminderPolicy
from ttsr_ls.session.history.turn_events import FeatureRecorded, InjectionCommitted, TurnEvent
from ttsr_ls.store.log.codec import Record
from ttsr_ls.store.log.turn_log import LogWriteError

CREATE: Call = ("TaskCreate", {"subject": "Load the prices", "description": ""})
OTHER: Call = ("read", {})


class Disk:
    """A log that takes everything but events of the kinds in `refused`."""

    def __init__(self) -> None:
        self.refused: tuple[type, ...] = ()
        self.events: list[TurnEvent] = []

    def append(self, event: TurnEvent, time: int) -> Record:
        if isinstance(event, self.refused):
            raise LogWriteError("cannot write the session log: No space left on device")
        self.events.append(event)
        return Record(len(self.events), time, event)


async def opened(disk: Disk, feature: TaskFeature) -> tuple[Session, list[object]]:
    session = await Session.open(log=OpenLog(disk, (), (), lambda: None), features=[feature])
    reported: list[object] = []
    session.on_event(reported.append)
    return session, reported


async def test_a_task_that_cannot_be_recorded_is_refused() -> None:
    disk, feature = Disk(), TaskFeature()
    session, reported = await opened(disk, feature)
    async with session:
        disk.refused = (FeatureRecorded,)
        sent = await run_turn(session, [CREATE])
        assert feature.tasks.tasks == ()
        assert texts(sent[1])[-1].startswith("Nothing was done: cannot write the session log")
        assert sent[1][-1]["content"][0]["is_error"] is True
        disk.refused = ()
        sent = await run_turn(session, [CREATE])
        assert texts(sent[1])[-1].startswith("Created task 1: ")
    assert [type(event) for event in reported if isinstance(event, LogFailed | LogRecovered)] == [
        LogFailed,
        LogRecovered,
    ]
    assert not [event for event in reported if isinstance(event, FeatureDisabled)]


async def test_a_reminder_that_cannot_be_recorded_is_injected_later() -> None:
    disk, feature = Disk(), TaskFeature(ReminderPolicy(after=2, cooldown=9))
    session, _ = await opened(disk, feature)
    async with session:
        await run_turn(session, [CREATE])
        disk.refused = (InjectionCommitted,)
        sent = await run_turn(session, [OTHER], [OTHER])
        assert not [text for messages in sent for text in texts(messages) if "still open" in text]
        disk.refused = ()
        (last,) = await run_turn(session)
        assert len([text for text in texts(last) if "still open" in text]) == 1
