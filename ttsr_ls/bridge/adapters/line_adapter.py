"""Base classes for adapters of JSON lines: they split lines, report damage, and end the session."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from pathlib import PurePath

from ttsr_ls.bridge.adapters.answer_parts import AnswerParts
from ttsr_ls.bridge.adapters.damage_report import DamageReport
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS, AdapterLimits
from ttsr_ls.bridge.adapters.lines import LineSplitter, NumberedLine, OversizedLine
from ttsr_ls.bridge.adapters.turn_tracker import AnswerT, PartsTracker, TurnTracker
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_object
from ttsr_ls.session.history.turn_events import TurnCancelled, TurnOutcome
from ttsr_ls.session.output.agent_events import AgentEvent


class LineReader(TurnTracker[AnswerT]):
    """Reads one session. Relative paths are resolved against `cwd`; None: against the session's own folder."""

    def __init__(self, cwd: PurePath | None = None, limits: AdapterLimits = ADAPTER_LIMITS) -> None:
        super().__init__(cwd, limits)
        self._splitter = LineSplitter(limits.line)
        self._damage = DamageReport("line", limits)

    def feed(self, data: bytes) -> list[AgentEvent]:
        """Returns the events of the lines that `data` completes."""
        return self._read_lines(self._splitter.feed(data))

    def finish(self) -> list[AgentEvent]:
        """Ends the stream. An open turn counts as interrupted."""
        return self._read_lines(self._splitter.finish()) + self.close_turn(self.outcome_at_end())

    def _read_lines(self, lines: list[bytes | OversizedLine]) -> list[AgentEvent]:
        events: list[AgentEvent] = []
        damage = self._damage
        with damage.malformed:
            for line in lines:
                events += self._read(line)
                if damage.malformed.has_notes:
                    events += damage.report_malformed()
        return events

    def outcome_at_end(self) -> TurnOutcome:
        """The outcome of a turn that is open when the stream ends."""
        return TurnCancelled("the stream ended")

    @abstractmethod
    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        """Returns the events of one decoded line."""

    def _read(self, line: bytes | OversizedLine) -> list[AgentEvent]:
        self._damage.number += 1
        if isinstance(line, OversizedLine):
            return self.report_damage("it is too long")
        return self.events_of_line(line)

    def events_of_line(self, line: bytes) -> list[AgentEvent]:
        """Returns the events of one line, given without its line end."""
        if not line.strip():
            return []
        message = parse_object(line)
        return self.report_damage(message) if isinstance(message, str) else self.events_of_message(message)

    def read_numbered_lines(self, lines: Iterable[NumberedLine]) -> list[AgentEvent]:
        """Returns the events of lines that were held back. Damage in them is reported with their numbers."""
        number, events = self._damage.number, list[AgentEvent]()
        for line in lines:
            self._damage.number = line.number
            events += self.events_of_line(line.text)
            if self._damage.malformed.has_notes:
                events += self._damage.report_malformed()
        self._damage.number = number
        return events

    def report_damage(self, reason: str) -> list[AgentEvent]:
        """Reports a line that cannot be read."""
        return self._damage.report_skipped(reason)

    def report_unknown_kind(self, kind: str) -> list[AgentEvent]:
        """Reports a line of a kind that this adapter does not know, once for each kind."""
        return self._damage.report_unknown_kind(kind)


class LineAdapter(LineReader[AnswerParts], PartsTracker):
    """Reads one session whose answers are tracked by their parts."""
