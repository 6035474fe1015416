"""Base class of the decoders of all APIs: limits the size of an answer, stores its usage, and ignores events after its
end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import PurePath

from ttsr_ls.bridge.wire.answer_limits import TOO_LONG, AnswerBudget, AnswerLimits, AnswerTooLong
from ttsr_ls.bridge.wire.fields import get_text
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.tool_vocabulary import Vocabulary
from ttsr_ls.session.output.wire_events import ResponseDelta, ResponseFinished, UsageReported, WireEvent, WireFailed

_LAST = (ResponseFinished, WireFailed)
"""The events that end an answer."""


def provider_failure(error: object, *name_fields: str) -> WireFailed:
    """Returns the failure for an error object of a provider; the first field that is set has the error's name."""
    name = next(filter(None, (get_text(error, field) for field in name_fields)), "an error")
    message = get_text(error, "message")
    return WireFailed(f"The provider reported {name}: {message}" if message else f"The provider reported {name}.")


class AnswerReader(ABC):
    """Reads one answer. Relative paths are resolved against `cwd`, an absolute folder."""

    def __init__(self, cwd: PurePath, tools: Vocabulary, limits: AnswerLimits) -> None:
        self._cwd = cwd
        self._tools = tools
        self._budget = AnswerBudget(limits)
        self._is_over = False
        self._usage: Usage | None = None

    def feed(self, event: object) -> tuple[WireEvent, ...]:
        """The wire events of one event, or chunk, of the stream."""
        if self._is_over:
            return tuple(self._read_usage(event))
        try:
            events: Sequence[WireEvent] = self._read(event)
        except AnswerTooLong:
            events = [TOO_LONG]
        if len(events) == 1 and type(events[0]) is ResponseDelta:
            return (events[0],)  # Fast path for nearly all events.
        self._is_over = any(isinstance(event, _LAST) for event in events)
        return tuple(events)

    def _read_usage(self, event: object) -> list[WireEvent]:
        """The usage that an event reports after the end of the answer."""
        return []

    def _report(self, usage: Usage | None) -> list[WireEvent]:
        """Reports `usage` if it is known and new."""
        if usage is None or usage == self._usage:
            return []
        self._usage = usage
        return [UsageReported(usage)]

    @abstractmethod
    def finish(self) -> tuple[WireEvent, ...]:
        """Ends the stream. Open parts end with the content that was received."""

    @abstractmethod
    def _read(self, event: object) -> Sequence[WireEvent]:
        """The wire events of one event. Raises AnswerTooLong if it exceeds the size limit."""
