"""The state of one stream in a monitor: its text, the rules that fired on it, and the rules to be evaluated again."""

from __future__ import annotations

from msgspec.structs import replace

from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.matching.condition_evaluator import RuleMatch
from ttsr_ls.matching.excerpt import code_point_span, code_points_before, excerpt
from ttsr_ls.matching.rule_index import CompiledRule
from ttsr_ls.matching.streams.condition_matcher import StreamMatcher
from ttsr_ls.rules.stream import StreamContext, Trigger


class StreamState:
    """The state of one stream. Rules are identified by their index into `RuleIndex.rules`.

    `is_truncated` is true if the stream exceeded the length limit, so that its end is unknown. `latest` is the latest
    delta, in units; `is_over` is true if a rule interrupted the answer.
    """

    __slots__ = (
        "_admitted",
        "_code_points",
        "_last",
        "_snapshot",
        "blocked",
        "blocked_at",
        "context",
        "deferred",
        "fired",
        "is_over",
        "is_truncated",
        "lasting",
        "latest",
        "postponed",
        "room",
        "shown",
        "text",
        "undecided",
        "waiting",
    )

    def __init__(self, text: StreamMatcher, context: StreamContext, length_limit: int) -> None:
        """The length limit is in units."""
        self.text = text
        self.context = context
        self.room = length_limit
        """How many units longer the text may become."""
        self._admitted: dict[str, bool] = {}
        self.fired: set[str] = set()
        self.is_truncated = False
        self.is_over = False
        self.latest = ""
        self.undecided: set[int] = set()
        """With `reference` matching: the rules for which it is unknown whether they matched at an earlier delta."""
        self.deferred: set[int] = set()
        """The rules for which it is still unknown whether they match."""
        self.postponed: set[int] = set()
        """The deferred rules that were not evaluated at the last delta, because there were too many."""
        self.waiting: dict[int, int] = {}
        """With `stable` matching: the other deferred rules, whose searches did not finish, each with the length of the
        least prefix on which its match may have become final. In order of their latest evaluation."""
        self.blocked: set[int] = set()
        """The rules that match but may not fire, because of their scope, their globs, or the repeat policy."""
        self.blocked_at: tuple[int, float] | None = None
        """The state of `RuleMatching` when they were blocked. In another state they are evaluated again."""
        self.lasting: set[int] = set()
        """With `reference` matching: the rules that match whatever follows and are not blocked."""
        self.shown: dict[int, tuple[RuleMatch, Trigger]] = {}
        """With `reference` matching: the latest match of each rule that fired, with its trigger."""
        self._code_points: int | None = 0
        self._last = ""
        self._snapshot = ("", "")
        """The last snapshot and its conversion to units; empty if the two are equal."""

    def update_context(self, context: StreamContext) -> None:
        """Updates the context of the stream, such as the paths of a tool call."""
        self.context = context
        self._admitted.clear()
        self.shown.clear()
        self.blocked_at = None

    def admits(self, compiled: CompiledRule) -> bool:
        """Returns whether a rule applies to the stream. Only called for rules with a matching condition."""
        known = self._admitted.get(compiled.rule.name)
        if known is None:
            known = self._admitted[compiled.rule.name] = compiled.admits(self.context)
        return known

    def append(self, units: str) -> bool:
        """Adds text to the stream. Returns whether the matcher may have changed answers."""
        self.latest = units
        self.room -= len(units)
        return self.text.append(units)

    def count_code_points(self, units: str) -> None:
        """Adds the code points of new text to the length of the stream, which `repeated_trigger` uses."""
        if self._code_points is not None and units:
            joined_text = units if self._last.isascii() else self._last + units
            self._code_points += code_points_before(joined_text, len(joined_text)) - len(joined_text) + len(units)
            self._last = units[-1]

    def to_units(self, snapshot: str) -> str:
        """Converts a snapshot to units. The common prefix with the previous snapshot is not converted again."""
        if snapshot.isascii():
            return snapshot
        previous, units = self._snapshot
        if previous and snapshot.startswith(previous):
            units += to_units(snapshot[len(previous) :])
        else:
            units = to_units(snapshot)
        self._snapshot = ("", "") if len(units) == len(snapshot) else (snapshot, units)
        return units

    def replace(self, units: str) -> None:
        """Replaces the text of the stream."""
        before = self.text.length
        self.room += before - len(units)
        if self.text.replace(units):
            self.latest = units[before:]
        else:
            self.latest = units
            # Their searches were about the replaced text.
            self.postponed.update(self.waiting)
            self.waiting.clear()
        self._code_points = None
        self.shown.clear()
        self.blocked_at = None

    def trigger(self, rule_match: RuleMatch, interrupts: bool) -> Trigger:
        """Returns the trigger of a rule that fired."""
        match = rule_match.match
        units = self.text.prefix(match.offset)
        start, end = code_point_span(units, match.start, match.end)
        return Trigger(
            rule=rule_match.compiled.rule,
            context=self.context,
            condition=rule_match.condition,
            start=start,
            end=end,
            offset=code_points_before(units, match.offset),
            excerpt=excerpt(units, match.start, match.end),
            interrupts=interrupts,
        )

    def repeated_trigger(self, trigger: Trigger) -> Trigger:
        """Returns the trigger of a rule that fired with the same match at the previous delta and fires again at this
        one.
        """
        if self._code_points is None:
            units = self.text.prefix(self.text.length)
            self._code_points, self._last = code_points_before(units, len(units)), units[-1:]
        return replace(trigger, offset=self._code_points)
