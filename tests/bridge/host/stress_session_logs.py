"""Kills real processes that write sessions, and fails their disks, at thousands of points; checks every log afterwards.

`python -m tests.bridge.host.stress_session_logs [--kills 500] [--disk-points 2000] [--seed 1] [--folder DIR]`

A killed process is a fork that plays a session with rules on a log file. In half of them each write goes out in small
pieces, so that kills tear lines. The next process takes the log up, and is killed in turn, four times; then one plays
to the end. The parent knows what each process acted upon, because the child reports each `append` that returned.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
import traceback
import zlib
from collections.abc import Callable
from pathlib import Path

from tests.bridge.host.driving import FINE
from tests.bridge.host.logged_sessions import check_file, played_on_failing_disk, session_on, taken_up, whole_log
from tests.bridge.host.session_checks import SCRIPT, check, check_whole
from tests.store.failing_disk import FailingDisk, FailingSync
from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.store.log.codec import Record, encode_record
from ttsr_ls.store.log.follow import LogFollower
from ttsr_ls.store.log.reader import LogProblemKind, read_log
from ttsr_ls.store.log.session_dirs import session_file
from ttsr_ls.store.log.turn_log import TurnLog

KILLS_A_LOG = 5
_WRITE = os.write


def main(kills: int, disk_points: int, seed: int, folder: Path) -> int:
    """Runs both; the status is 1 if a log is wrong. That log is kept."""
    chosen_random = random.Random(seed)
    began = time.monotonic()
    tally = {"kills": 0, "torn": 0, "records": 0, "rules injected": 0}
    number = 0
    while tally["kills"] < kills:
        number += 1
        killed_again_and_again(
            folder / f"kills-{number}", chosen_random, tally, min(KILLS_A_LOG, kills - tally["kills"])
        )
    print(f"{tally['kills']} kills of {number} sessions in {time.monotonic() - began:.0f} s: {tally}", flush=True)
    began = time.monotonic()
    complete = fail_disks(folder, chosen_random, disk_points)
    print(
        f"{disk_points} failing disks in {time.monotonic() - began:.0f} s; "
        f"{complete} logs had everything in the end, the others what their sessions acted upon"
    )
    return 0


def killed_again_and_again(folder: Path, chosen: random.Random, tally: dict[str, int], kills: int) -> None:
    """Has one log written by processes that are killed, and by one that is not."""
    folder.mkdir()
    path = session_file(folder, 1_000, "a")
    follower = LogFollower(folder)
    followed: list[Record] = []
    before: list[Record] = []
    for _ in range(kills):
        acknowledged = killed(path, before, chosen)
        content = read_log(path) if path.exists() else None
        records = list(content.records) if content is not None else []
        assert records[: len(before)] == before, "a record that was there changed or is gone"
        new = [f"{record.sequence} {zlib.crc32(encode_record(record))}" for record in records[len(before) :]]
        assert new[: len(acknowledged)] == acknowledged, "a record that was acted upon is lost"
        assert len(new) <= len(acknowledged) + 1, "there is a record that nobody wrote"
        check([record.event for record in records])
        followed += [event.record for event in follower.poll()]
        assert followed == records, "a follower has other records"
        tally["torn"] += any(
            problem.kind is LogProblemKind.TORN_END for problem in (content.problems if content else ())
        )
        tally["kills"] += 1
        before = records
    events = asyncio.run(taken_up(path, [record.event for record in before]))
    assert asyncio.run(played_to_the_end(path, events))
    check_file(path, [record.event for record in read_log(path).records])
    followed += [event.record for event in follower.poll()]
    assert followed == list(read_log(path).records), "a follower has other records"
    tally["records"] += len(followed)
    tally["rules injected"] += sum(
        type(record.event).__name__ in ("InjectionCommitted", "ReminderFolded") for record in followed
    )


async def played_to_the_end(path: Path, before: list[TurnEvent]) -> bool:
    """Plays the whole script on the existing log."""
    run, log = await session_on(path)
    assert log.found == before
    for answers in (*SCRIPT, (FINE,)):
        await run.turn(*answers)
    await run.session.close()
    check_whole(run, log.taken)
    return True


def killed(path: Path, before: list[Record], chosen: random.Random) -> list[str]:
    """Has a process play a session and kills it somewhere; returns what it reported of its appends."""
    reading, writing = os.pipe()
    seed, in_deltas = chosen.random(), chosen.random() < 0.5
    child = os.fork()
    if not child:
        status = 1
        try:
            os.close(reading)
            _be_killed(path, before, writing, random.Random(seed), in_deltas=in_deltas)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(writing)
    time.sleep(chosen.uniform(0.0, 0.4 if in_deltas else 0.12))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the process failed by itself"
    with open(reading, "rb") as pipe:  # noqa: PTH123 - of a descriptor
        return [line.decode() for line in pipe.read().split(b"\n")[:-1]]


def _be_killed(path: Path, before: list[Record], reports: int, chosen: random.Random, *, in_deltas: bool) -> None:
    append: Callable[[TurnLog, TurnEvent, int], Record] = TurnLog.append

    def reported(log: TurnLog, event: TurnEvent, time: int) -> Record:
        record = append(log, event, time)
        _WRITE(reports, f"{record.sequence} {zlib.crc32(encode_record(record))}\n".encode())
        return record

    TurnLog.append = reported  # type: ignore[method-assign,assignment]
    if in_deltas:
        os.write = _slow_write(chosen)  # type: ignore[assignment]
        # Syncs would take most of the time. A killed process loses no data without them.
        os.fsync = lambda descriptor: None  # type: ignore[assignment]

    async def play() -> None:
        run, log = await session_on(path)
        assert log.found == [record.event for record in before], "a torn line came back to life"
        for answers in SCRIPT:
            await run.turn(*answers)
        await run.session.close()

    asyncio.run(play())


def _slow_write(chosen: random.Random) -> Callable[[int, bytes], int]:
    """Writes some bytes at a time and rests between, so that a kill finds a torn line more often than not."""

    def write(descriptor: int, data: bytes) -> int:
        time.sleep(0.0005)
        return _WRITE(descriptor, data[: chosen.randint(1, 150)])

    return write


def fail_disks(folder: Path, chosen: random.Random, points: int) -> int:
    """Plays sessions whose disk fails at each byte in turn, or at several; every tenth has a sync fail."""
    size = len(whole_log(folder / "whole.jsonl", SCRIPT)) - len((folder / "whole.jsonl").read_bytes().split(b"\n")[0])
    complete = 0
    for number in range(points):
        path = folder / f"disk-{number}.jsonl"
        room = (number * size // points + chosen.randint(0, max(size // points, 1))) % size
        more = tuple((chosen.randint(0, 3000), chosen.randint(1, 4)) for _ in range(chosen.randint(0, 2)))
        sync = FailingSync(chosen.randint(1, 20)) if number % 10 == 0 else None
        disk = FailingDisk(room, chosen.choice([1, 1, 2, 3, 5, 10**6]), more)
        try:
            complete += asyncio.run(played_on_failing_disk(path, SCRIPT, disk, sync))
        except AssertionError:
            print(f"failing disk {number}: {room} bytes, then {more}; its log is {path}", flush=True)
            raise
        path.unlink()
    return complete


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--disk-points", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the logs are written (default: a new temporary folder)")
    asked = parser.parse_args()
    sys.exit(
        main(asked.kills, asked.disk_points, asked.seed, asked.folder or Path(tempfile.mkdtemp(prefix="ttsr-logs-")))
    )
