"""Reading an answer on wires whose chunks close nothing: prose is over when something else begins."""

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
    """An `AnswerReader` that knows whether the answer began, and which prose is open."""

    def __init__(self, cwd: PurePath, tools: Vocabulary, limits: AnswerLimits) -> None:
        super().__init__(cwd, tools, limits)
        self._began = False
        self._prose: ProseStream | None = None

    def _begin(self, model: str, *, has_answer: bool) -> list[WireEvent]:
        """Reports the first chunk that has part of an answer or names the model."""
        if self._began or not (has_answer or model):
            return []
        self._began = True
        return [ResponseStarted(model)]

    def _say(self, source: Source, text: str) -> list[WireEvent]:
        """Adds to the open prose, or begins another."""
        if not text:
            return []
        events: list[WireEvent] = []
        if self._prose is None or self._prose.source is not source:
            events += self._end_prose()
            self._room.take_part()
            self._prose = ProseStream(source)
        return [*events, *self._prose.add(self._room.take(text))]

    def _end_prose(self) -> list[WireEvent]:
        prose, self._prose = self._prose, None
        return [] if prose is None else [prose.end(), PartFinished(self._output(prose))]

    def _output(self, prose: ProseStream) -> Output:
        """The part of the answer that some prose is."""
        return prose.output()
