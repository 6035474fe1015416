"""Reports the lines or events of a stream that an adapter cannot read, with their numbers, up to limits."""

from __future__ import annotations

from ttsr_ls.bridge.adapters.limits import AdapterLimits
from ttsr_ls.bridge.adapters.unknown_kinds import UnknownKinds
from ttsr_ls.bridge.wire.malformed import MalformedParts
from ttsr_ls.session.output.agent_events import AgentEvent, StreamDamaged


class DamageReport:
    """The damage of one stream, whose `unit` is "line" or "event". `number` is that of the last unit, from 1.

    The functions of `fields` add to `malformed` while it is entered by `with`.
    """

    __slots__ = ("_limit", "_reported", "_unit", "_unknown", "malformed", "number")

    def __init__(self, unit: str, limits: AdapterLimits) -> None:
        self._unit = unit
        self._limit = limits.damaged_lines
        self._reported = 0
        self._unknown = UnknownKinds(limits.unknown_kinds)
        self.malformed = MalformedParts()
        self.number = 0

    def report(self, message: str) -> list[AgentEvent]:
        """Reports a full sentence; nothing beyond the limit, which the last report names."""
        self._reported += 1
        if self._reported > self._limit:
            return []
        is_last = self._reported == self._limit
        rest = f" Further {self._unit}s that cannot be read are not reported." if is_last else ""
        return [StreamDamaged(f"{message}{rest}")]

    def report_skipped(self, reason: str) -> list[AgentEvent]:
        """Reports that the unit was skipped."""
        return self.report(f"{self._where} was skipped: {reason}.")

    def report_unknown_kind(self, kind: str) -> list[AgentEvent]:
        """Reports a unit of a kind that the adapter does not know, once for each kind."""
        name = self._unknown.add(kind)
        return [] if name is None else [StreamDamaged(f"{self._where} was skipped: its kind, '{name}', is not known.")]

    def report_malformed(self) -> list[AgentEvent]:
        """Reports the malformed parts of the unit."""
        problems, recurring = self.malformed.take()
        reasons = [*problems, *(name for problem in recurring if (name := self._unknown.add(problem)) is not None)]
        return self.report(f"{self._where} was read only in part: {'; '.join(reasons)}.") if reasons else []

    @property
    def _where(self) -> str:
        return f"{self._unit.capitalize()} {self.number} of the stream"
