"""Base class of decoders for wires whose chunks do not mark the end of prose: it ends when another part starts."""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.bridge.wire.answer_limits import AnswerLimits
from ttsr_ls.bridge.wire.answer_reader import AnswerReader
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_output import Output
from ttsr_ls.session.output.output_streams import ProseStream
from ttsr_ls.session.output.tool_vocabulary import Vocabulary
from ttsr_ls.session.output.wire_events import PartFinished, ResponseStarted, WireEvent


class ChunkReader(AnswerReader):
    """An `AnswerReader` that tracks whether the answer has started, and the open prose."""

    def __init__(self, cwd: PurePath, tools: Vocabulary, limits: AnswerLimits) -> None:
        super().__init__(cwd, tools, limits)
        self._has_started = False
        self._prose: ProseStream | None = None

    def _start(self, model: str, *, has_answer: bool) -> list[WireEvent]:
        """Returns the start of the answer, at the first chunk that has a part of it or names the model."""
        if self._has_started or not (has_answer or model):
            return []
        self._has_started = True
        return [ResponseStarted(model)]

    def _add_prose(self, source: Source, text: str) -> list[WireEvent]:
        """Adds to the open prose, or starts another."""
        if not text:
            return []
        events: list[WireEvent] = []
        if self._prose is None or self._prose.source is not source:
            events += self._end_prose()
            self._budget.take_part()
            self._prose = ProseStream(source)
        return [*events, *self._prose.add(self._budget.take(text))]

    def _end_prose(self) -> list[WireEvent]:
        prose, self._prose = self._prose, None
        return [] if prose is None else [prose.end(), PartFinished(self._output(prose))]

    def _output(self, prose: ProseStream) -> Output:
        """Returns the part of the answer for some prose."""
        return prose.output()
