"""Sessions on log files whose disk fails or whose last line is torn, and checks of what readers find then."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.bridge.host.driving import FINE, RULES, Run, ShakyLog, session_rules
from tests.bridge.host.session_checks import Guarding, Nagging, Turns, check, check_whole
from tests.store.failing_disk import FailingDisk, FailingSync, on_disk, with_sync
from ttsr_ls.bridge.host.logs import OpenLog, open_log
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.session.history.turn import UserInput
from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.session.history.turn_fold import fold
from ttsr_ls.store.log.codec import Record
from ttsr_ls.store.log.reader import LogDecoder, LogProblemKind, read_log
from ttsr_ls.store.log.turn_log import TurnLog

SESSION_RULES = session_rules(RULES)


class TakenLog:
    """A log that remembers the events that it had (`found`), and those for which `append` returned."""

    def __init__(self, log: TurnLog, before: tuple[TurnEvent, ...]) -> None:
        self._log = log
        self.found = list(before)
        self.taken: list[TurnEvent] = list(before)

    def append(self, event: TurnEvent, time: int) -> Record:
        record = self._log.append(event, time)
        self.taken.append(event)
        return record


async def session_on(path: Path) -> tuple[Run, TakenLog]:
    """Opens a session on a log file, and resumes it if the file has events."""
    opened_log = open_log(path, path.parent, 0)
    assert isinstance(opened_log.log, TurnLog)
    log = TakenLog(opened_log.log, opened_log.events)
    known = OpenLog(log, opened_log.events, opened_log.problems, opened_log.close)
    return Run(await Session.open(rules=SESSION_RULES, log=known, features=(Nagging(), Guarding())), ShakyLog()), log


def check_file(path: Path, taken: list[TurnEvent]) -> None:
    """Asserts that every reader finds the appended events in the file, once each, in order, and no others."""
    content = read_log(path)
    assert [record.event for record in content.records] == taken, "lost, duplicated or resurrected"
    assert [record.sequence for record in content.records] == list(range(1, len(taken) + 1))
    assert not [problem for problem in content.problems if problem.kind is LogProblemKind.GAP]
    data = path.read_bytes()
    decoder = LogDecoder.joining(data[: 1 << 18])
    assert tuple(decoder.feed(data[data.find(b"\n") + 1 :])[0]) == content.records


async def taken_up(path: Path, before: list[TurnEvent]) -> list[TurnEvent]:
    """Resumes a session in another program and plays a turn, twice; returns the recorded events."""
    for _ in range(2):
        run, log = await session_on(path)
        assert log.found == before, "lost, or back to life"
        await run.turn(FINE)
        await run.session.close()
        check_whole(run, log.taken)
        check_file(path, log.taken)
        before = log.taken
    return before


def prompts(events: list[TurnEvent]) -> list[tuple[str, str]]:
    """The prompts of a history with how their turns ended."""
    turns = fold(events).turns
    return [
        (turn.trigger.text if isinstance(turn.trigger, UserInput) else "", type(turn.state).__name__) for turn in turns
    ]


async def played_on_failing_disk(path: Path, turns: Turns, disk: FailingDisk, sync: FailingSync | None = None) -> bool:
    """Plays `turns` while the disk fails, checks the log, and resumes the session. Returns whether all was recorded.

    The header is there before: `disk` counts the bytes behind it.
    """
    open_log(path, path.parent, 0).close()
    with on_disk(disk), with_sync(sync or FailingSync(10**9)):
        run, log = await session_on(path)
        for answers in turns:
            await run.turn(*answers)
            check_file(path, log.taken)
            assert run.session._core.fold.turns == fold([*log.taken, *run.session._core.recorder.backlog]).turns
        assert len(run.session.turns) == len(turns), "the agent goes on"
        await run.session.close()
    check_file(path, log.taken)
    check(log.taken)
    complete = not run.session._core.recorder.backlog
    if complete:
        assert prompts(log.taken) == [("go", "TurnCompleted")] * len(turns), "as if it had not been interrupted"
    await taken_up(path, log.taken)
    return complete


def whole_log(path: Path, turns: Turns) -> bytes:
    """The log of a session that nothing interrupts."""

    async def play() -> None:
        run, log = await session_on(path)
        for answers in turns:
            await run.turn(*answers)
        await run.session.close()
        check_whole(run, log.taken)
        check_file(path, log.taken)

    asyncio.run(play())
    return path.read_bytes()
