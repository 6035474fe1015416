"""Plain text: all of the input is one answer in prose."""

from __future__ import annotations

import codecs
from pathlib import PurePath

from ttsr_ls.bridge.adapters.answer_parts import AnswerParts
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import MAIN_AGENT, TurnCompleted, UnseenTrigger
from ttsr_ls.session.output.agent_events import AgentEvent, AnswerStarted, TurnClosed, TurnOpened
from ttsr_ls.session.output.common_tools import COMMON_TOOLS


class PlainTextAdapter:
    """Reads UTF-8 text in chunks; invalid bytes become U+FFFD."""

    def __init__(self, cwd: PurePath | None = None) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._answer: AnswerParts | None = None
        self._cwd = cwd or PurePath("/")

    def feed(self, data: bytes) -> list[AgentEvent]:
        """The events of the text that `data` adds to the answer."""
        return self._add(self._decoder.decode(data))

    def finish(self) -> list[AgentEvent]:
        """Ends the answer."""
        events = self._add(self._decoder.decode(b"", final=True))
        return (
            events if self._answer is None else [*events, *self._answer.end(complete=True), TurnClosed(TurnCompleted())]
        )

    def _add(self, text: str) -> list[AgentEvent]:
        if not text:
            return []
        if self._answer is not None:
            return self._answer.add_prose(0, Source.TEXT, text)
        self._answer = AnswerParts(MAIN_AGENT, self._cwd, COMMON_TOOLS)
        events: list[AgentEvent] = [TurnOpened(UnseenTrigger()), AnswerStarted(MAIN_AGENT, "")]
        return [*events, *self._answer.add_prose(0, Source.TEXT, text)]
