"""Opens the log of a session: a new or existing file, or a log in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

from ttsr_ls.bridge.host.hooks.runner import FOREIGN_ERRORS
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.session.history.turn_events import FeatureRecorded, TurnEvent
from ttsr_ls.session.history.usage_meter import is_answer
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.lifecycle.unpack_records import unpack_records
from ttsr_ls.store.log.errors import LogNotUnderstoodError
from ttsr_ls.store.log.header import new_header
from ttsr_ls.store.log.turn_log import TurnLog

AGENT = "ttsr-ls"
"""The agent's name in the headers of logs."""


class OpenLog(Struct, frozen=True):
    """A log with its content at the time of opening; `problems` are full sentences."""

    log: EventLog
    events: tuple[TurnEvent, ...]
    problems: tuple[str, ...]
    close: Callable[[], None]
    last_answer_at: int | None = None
    """When the last answer was recorded, in milliseconds since the Unix epoch; None if the log has none."""


def open_log(path: Path, workspace: Path, now: int) -> OpenLog:
    """Opens the log in a file and creates the file if it does not exist. Raises LogWriteError."""
    header = new_header(path, AGENT, workspace, now)
    log, content = TurnLog.open_with_content(path, header)
    events = tuple(record.event for record in content.records)
    problems = tuple(problem.message for problem in content.problems)
    answers = (record.time for record in reversed(content.records) if is_answer(record.event))
    return OpenLog(log, events, problems, log.close, next(answers, None))


def memory_log() -> OpenLog:
    """Creates a log in memory, which is not kept."""
    return OpenLog(NullLog(), (), (), lambda: None)


def check_readable(events: Iterable[TurnEvent], features: Iterable[Feature]) -> None:
    """Raises LogNotUnderstoodError if a feature cannot read one of its own records in the log."""
    by_name = {feature.name: feature for feature in features}
    for event in events:
        for record in unpack_records(event):
            if isinstance(record, FeatureRecorded) and not _can_read(by_name.get(record.feature), record):
                raise LogNotUnderstoodError(
                    f"the session log has records of the feature {record.feature!r} that another version of it "
                    "wrote, so nothing is added to it; "
                    "update what has that feature to continue this log, or name another file"
                )


def _can_read(feature: Feature | None, record: FeatureRecorded) -> bool:
    try:
        return feature is None or feature.can_read(record)
    except FOREIGN_ERRORS:  # The feature is disabled when a later hook fails.
        return True
