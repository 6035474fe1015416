"""What a monitor keeps of one stream: its text, which rules fired on it, and which have to be asked again."""

from __future__ import annotations

from msgspec.structs import replace

from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.matching.condition_evaluator import RuleMatch
from ttsr_ls.matching.excerpt import code_points_before
from ttsr_ls.matching.rule_index import CompiledRule
from ttsr_ls.matching.streams.condition_matcher import StreamMatcher
from ttsr_ls.rules.stream import StreamContext, Trigger


class StreamState:
    """The state of one stream. Rules are named by their index into `RuleIndex.rules`.

    `is_cut` tells that the stream outgrew what is watched of one, so that its end is not known. `latest` is the delta
    that came last, in units; `is_over` tells that a rule cut the answer off.
    """

    __slots__ = (
        "_admitted",
        "_last",
        "_points",
        "_snapshot",
        "blocked",
        "blocked_at",
        "context",
        "deferred",
        "fired",
        "is_cut",
        "is_over",
        "lasting",
        "latest",
        "shown",
        "text",
        "undecided",
    )

    def __init__(self, text: StreamMatcher, context: StreamContext) -> None:
        self.text = text
        self.context = context
        self._admitted: dict[str, bool] = {}
        self.fired: set[str] = set()
        self.is_cut = False
        self.is_over = False
        self.latest = ""
        self.undecided: set[int] = set()
        """With `reference` matching: the rules of which it is not known whether they matched at an earlier delta."""
        self.deferred: set[int] = set()
        """The rules of which it is not known yet whether they match."""
        self.blocked: set[int] = set()
        """The rules that match, but may not fire: of their scopes and paths, or because they fired before."""
        self.blocked_at: tuple[int, float] | None = None
        """What decided that; they are looked at again when it is something else."""
        self.lasting: set[int] = set()
        """With `reference` matching: the rules that match from now on and are not blocked."""
        self.shown: dict[int, tuple[RuleMatch, Trigger]] = {}
        """With `reference` matching: how rules fired at the last delta."""
        self._points: int | None = 0
        self._last = ""
        self._snapshot = ("", "")
        """The last snapshot as it came and in units, if the two are not the same."""

    def move_to(self, context: StreamContext) -> None:
        """Updates the facts about the stream, such as the paths of a tool call."""
        self.context = context
        self._admitted.clear()
        self.shown.clear()
        self.blocked_at = None

    def admits(self, compiled: CompiledRule) -> bool:
        """Whether a rule applies to the stream; asked only of rules of which a condition matches."""
        known = self._admitted.get(compiled.rule.name)
        if known is None:
            known = self._admitted[compiled.rule.name] = compiled.admits(self.context)
        return known

    def append(self, units: str) -> None:
        """Adds text to the stream."""
        self.latest = units
        self.text.append(units)

    def count(self, units: str) -> None:
        """The code points of text that came count, for `again`."""
        if self._points is not None and units:
            joined = units if self._last.isascii() else self._last + units
            self._points += code_points_before(joined, len(joined)) - len(joined) + len(units)
            self._last = units[-1]

    def units_of(self, snapshot: str) -> str:
        """A snapshot in units. What it has in common with the last one is not converted again."""
        if snapshot.isascii():
            return snapshot
        known, units = self._snapshot
        if known and snapshot.startswith(known):
            units += to_units(snapshot[len(known) :])
        else:
            units = to_units(snapshot)
        self._snapshot = ("", "") if len(units) == len(snapshot) else (snapshot, units)
        return units

    def replace(self, units: str) -> None:
        """The text is another one now."""
        before = self.text.length
        self.latest = units[before:] if self.text.replace(units) else units
        self._points = None
        self.shown.clear()
        self.blocked_at = None

    def again(self, trigger: Trigger) -> Trigger:
        """The trigger of a rule that fired the same way at the last delta, and at this one."""
        if self._points is None:
            units = self.text.prefix(self.text.length)
            self._points, self._last = code_points_before(units, len(units)), units[-1:]
        return replace(trigger, offset=self._points)
