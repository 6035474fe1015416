"""Lowers patterns that an NFA group cannot express to patterns that match at least as much. Their matches are
candidates that the caller verifies.

Owns which approximations are allowed, and what they mean for when a candidate must be verified (`Exactness`).
"""

from __future__ import annotations

import re
from enum import IntEnum

from ttsr_ls.esregex.automaton.nfa.certain_references import certain_references
from ttsr_ls.esregex.automaton.nfa.items import NEVER, ItemEntry
from ttsr_ls.esregex.automaton.nfa.limits import SpareWork
from ttsr_ls.esregex.automaton.nfa.lowering_errors import NfaTooLarge, NotExpressible, UnsupportedHere
from ttsr_ls.esregex.automaton.nfa.nfa_graph import GraphCheckpoint, NfaGraph
from ttsr_ls.esregex.automaton.nfa.nfa_lowering import NfaLowering
from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.finality.polarity import Polarity
from ttsr_ls.esregex.tree.backreferences import ANY_TEXT, captured_texts
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Backreference,
    Capture,
    Chars,
    Node,
    Pattern,
    Repeat,
    walk,
)
from ttsr_ls.esregex.tree.pattern_size import is_too_large

_CAPS = (1000, 100, 10, 1)
"""The caps of counts, tried in order until the pattern makes few enough items."""

_FEW_ITEMS = 300
"""Up to so many items of a pattern, transitions need not be counted: even one between every two items is not too
many."""
_MAX_TRANSITIONS = 150_000
"""How many transitions between items a pattern may have, including loops through `Split`s. A program lists them all."""
_TRANSITIONS_PER_STEP = 4
"""How many transitions are listed in the time of one step of lowering."""
_ALWAYS_ALLOWED = 300
"""How many steps a pattern may always take, beside two for each of its units."""

_MAY_REFER = re.compile(r"\\[1-9k]")


class Exactness(IntEnum):
    """The relation between the matches of a lowered pattern and those of the original one."""

    EXACT = 0
    """The lowered pattern has the same matches."""
    SAME_ENDS = 1
    """Its matches are candidates. Each match of the pattern becomes final, or ends, where a candidate does."""
    ANY_TIME = 2
    """Its matches are candidates. A match of the pattern may become final, or end, at any time after a candidate."""
    OUTSIDE = 3
    """The pattern is not in the automaton."""


def add_pattern(graph: NfaGraph, pattern: Pattern, index: int, most_items: int, spare: SpareWork) -> Exactness:
    """Adds `pattern` to the NFA group under the number `index`, as exactly as `most_items` items allow.

    Raises `UnsupportedHere`, and adds nothing, if the pattern belongs to another NFA group. Takes work beyond the free
    amount from `spare`; when nothing is left, only the coarsest approximation is tried.
    """
    if is_too_large(pattern):
        return Exactness.OUTSIDE
    checkpoint = graph.checkpoint()
    never_final = _is_never_final(pattern)
    always = _ALWAYS_ALLOWED + 2 * len(pattern.source)
    is_spent = spare.left <= 0
    if is_spent:
        most_items = always
    attempt = _Attempt(graph, checkpoint, index, spare, always)
    try:
        if never_final:
            raise NotExpressible
        attempt.run(NfaLowering(graph, pattern, most_items))
        return Exactness.EXACT
    except NotExpressible:
        pass
    maximum = max([node.maximum or node.minimum for node in walk(pattern.root) if isinstance(node, Repeat)], default=0)
    for number, cap in enumerate(_CAPS[-1:] if is_spent else _CAPS):
        if cap >= maximum and (number or attempt.had_too_many_transitions):
            continue  # The result would be the same.
        approximate = ApproximateLowering(graph, pattern, most_items, cap)
        try:
            attempt.run(approximate)
            if never_final or graph.nfa_group.looks_allowed:
                # If lookaheads become too many to be distinguished, nothing is reported when they are met.
                return Exactness.ANY_TIME
            return approximate.exactness
        except NfaTooLarge:
            pass
    return Exactness.OUTSIDE


class _Attempt:
    """Lowers a pattern. Rolls back a failed lowering, and takes all work beyond `always` from the spare work."""

    def __init__(self, graph: NfaGraph, checkpoint: GraphCheckpoint, index: int, spare: SpareWork, always: int) -> None:
        self._graph = graph
        self._mark = checkpoint
        self._index = index
        self._spare = spare
        self._always = always
        self._most_transitions = 8 * always if spare.left <= 0 else _MAX_TRANSITIONS
        self.had_too_many_transitions = False
        """Whether the pattern could be lowered, but to items with too many transitions."""

    def run(self, lowering: NfaLowering) -> None:
        """Raises `UnsupportedHere` or `NotExpressible`, and adds nothing then."""
        transitions = 0
        try:
            lowering.lower(self._index)
            if len(self._graph.labels) - self._mark.items > _FEW_ITEMS:
                transitions = self._graph.count_transitions(self._mark, self._most_transitions)
            if transitions > self._most_transitions:
                self.had_too_many_transitions = True
                raise NfaTooLarge
        except (UnsupportedHere, NotExpressible):
            self._charge(lowering.work, transitions)
            self._graph.roll_back(self._mark)
            raise
        self._charge(lowering.work, transitions)

    def _charge(self, work: int, transitions: int) -> None:
        self._spare.left -= max(0, work + transitions // _TRANSITIONS_PER_STEP - self._always)


def _is_never_final(pattern: Pattern) -> bool:
    """Returns whether the final form of a pattern never matches because of a backreference, even if its group does not
    matter."""
    if not _MAY_REFER.search(pattern.source):
        return False
    form = final_form(pattern)
    return form is not pattern and isinstance(form.root, Chars) and not form.root.units


class ApproximateLowering(NfaLowering):
    """Lowers inexpressible nodes to ones that match more, or less inside negated lookarounds."""

    # Every end of a candidate matters, not only the first.
    _trims_end = False

    def __init__(self, graph: NfaGraph, pattern: Pattern, most_items: int, cap: int) -> None:
        super().__init__(graph, pattern, most_items)
        self.exactness = Exactness.EXACT
        self._cap = cap
        self._captures: dict[int, Node] | None = None
        self._certain: frozenset[int] | None = None
        self._last_loop: tuple[object, ItemEntry] | None = None
        """The last reference to a loop, and where its lowering begins."""

    def _counts(self, node: Repeat, polarity: Polarity) -> tuple[int, int | None]:
        minimum, maximum, cap = node.minimum, node.maximum, self._cap
        if minimum <= cap and (maximum is None or maximum <= cap):
            return minimum, maximum
        if polarity is not Polarity.MUST:
            # In negated lookarounds, the approximation matches less: at most `cap` rounds, or nothing.
            self._weaken(Exactness.ANY_TIME)
            return minimum, cap
        self._weaken(Exactness.ANY_TIME if self._looks_around else Exactness.SAME_ENDS)
        return min(minimum, cap), maximum if maximum is not None and maximum <= cap else None

    def _inner(self, node: Node, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        if isinstance(node, Repeat) and node.minimum > self._cap and polarity is not Polarity.MUST:
            self._weaken(Exactness.ANY_TIME)
            return NEVER
        return super()._inner(node, next_entry, polarity)

    def _too_large(self, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        if len(self.graph.labels) > self._most_items or self._work_left < 0:
            raise NfaTooLarge
        return self._unknown(ANY_TEXT, next_entry, polarity)

    def _reference(self, node: Backreference, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        if self._captures is None:
            captures = [node for node in walk(self.pattern.root) if isinstance(node, Capture)]
            self._captures = {capture.index: capture.body for capture in captures}
        nodes = [self._captures[group] for group in node.groups if group in self._captures]
        bodies = tuple(captured_texts(body, node.ignore_case) for body in nodes)
        body = bodies[0] if len(bodies) == 1 else Alternation(node.span, bodies)
        if self._certain is None:
            self._certain = certain_references(self.pattern.root)
        is_set = id(node) in self._certain
        if isinstance(body, Repeat) and not body.minimum and body.maximum is None:
            # `a*a*` is `a*`. Otherwise, the transitions of consecutive references would be quadratic.
            key = (node.groups, node.ignore_case, polarity)
            if self._last_loop is not None and self._last_loop[0] == key and self._last_loop[1] is next_entry:
                return next_entry
            entry = self._unknown(body, next_entry, polarity)
            self._last_loop = (key, entry)
            return entry
        return self._unknown(body if is_set else Repeat(node.span, body, 0, 1, False, 1, 1), next_entry, polarity)

    def _unknown(self, node: Node, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        if polarity is not Polarity.MUST:
            self._weaken(Exactness.ANY_TIME)
            return NEVER
        self._weaken(Exactness.ANY_TIME if self._looks_around else Exactness.SAME_ENDS)
        # A body that is nested too deep is approximated again.
        return (
            self._node(node, next_entry, polarity)
            if node is not ANY_TEXT
            else self._loop(ANY_TEXT.body, 0, next_entry, polarity)
        )

    def _unknown_look(self, next_entry: ItemEntry, polarity: Polarity) -> ItemEntry:
        self._weaken(Exactness.ANY_TIME)
        return next_entry if polarity is Polarity.MUST else NEVER

    def _weaken(self, exactness: Exactness) -> None:
        self.exactness = max(self.exactness, exactness)
