"""Decides whether a backtracking engine can take too long to fail on a pattern (ReDoS), with a text that shows it.

Candidates come from the automaton. Only candidates that a run of the matcher confirms are reported.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.analysis.backtracking.ambiguity import (
    Ambiguity,
    AmbiguityGrowth,
    AmbiguitySearch,
    TooAmbiguous,
    chain_lengths,
)
from ttsr_ls.esregex.analysis.backtracking.attack import Attack, can_match_end_anywhere, find_attacks
from ttsr_ls.esregex.analysis.backtracking.enclosing_items import enclosing_items
from ttsr_ls.esregex.analysis.backtracking.growth import (
    MAX_LENGTH,
    MAX_ROUNDS,
    MIN_POWER,
    NEAR_POWER,
    STEP_LIMIT,
    AttackRunner,
    Growth,
)
from ttsr_ls.esregex.analysis.backtracking.regions import MatchedRegion, matched_regions
from ttsr_ls.esregex.analysis.backtracking.separated_repeats import has_separated_repeats
from ttsr_ls.esregex.analysis.graph.counting import FOR_EFFORT
from ttsr_ls.esregex.analysis.graph.graph import AtomGraph
from ttsr_ls.esregex.analysis.graph.graph_lowering import Direction, GraphLowering, GraphTooLarge, atoms_of, captures_in
from ttsr_ls.esregex.analysis.graph.work import WorkBudget, WorkExhausted
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import Assertion, Capture, Chars, Group, Node, Pattern, Repeat, Sequence, walk
from ttsr_ls.text import Span

_MAX_RUNS = 8
_WORK_OF_STATE = 20
"""The work of building a state of an automaton, with its edges."""
_WORK_OF_AMBIGUITY = 50
"""The work of describing an ambiguity."""
_MAX_BOUNDED_LENGTH = 64
"""Bounded repeats count as slow only if a text of at most this length shows it."""
_MAX_LENGTH = 2_000
"""The greatest length of an analysed pattern. Real patterns have a tenth of it."""


class HarmlessPattern(Struct, frozen=True):
    """The whole search finished and found no text on which matching takes too long."""


class UndecidedPattern(Struct, frozen=True):
    """The pattern is too large, or too ambiguous, for the bounds of the search."""


class SlowPattern(Struct, frozen=True):
    """The effort grows exponentially with the text's length, or with a power of it; `degree` is that power.

    On the attack's text of `rounds` rounds the backtracking matcher takes at least `steps` steps. `hotspot` is the part
    of the pattern that can match one text in many ways. `is_narrow` is true if the repeated text is part of a line, or
    a run of blanks: neither is long in ordinary texts. `is_bounded` is true if a counted repeat ends the growth, so
    that the power of the length holds for short texts only.
    """

    shape: AmbiguityGrowth
    degree: int
    hotspot: Span
    attack: Attack
    rounds: int
    steps: int
    is_narrow: bool
    is_bounded: bool


BacktrackingVerdict = HarmlessPattern | UndecidedPattern | SlowPattern


def judge_backtracking(pattern: Pattern, work: WorkBudget | None = None) -> BacktrackingVerdict:
    """Returns the worst behaviour of a backtracking engine that is found within `work` (by default the work of one
    pattern).
    """
    if not _may_be_ambiguous(pattern.root):
        return HarmlessPattern()
    if len(pattern.source) > _MAX_LENGTH:
        return UndecidedPattern()
    judge = _Judge(pattern, WorkBudget() if work is None else work)
    slow_pattern: SlowPattern | None = None
    try:
        for region in matched_regions(pattern.root):
            slow = judge.region(region)
            if slow is not None and (slow_pattern is None or _severity(slow) > _severity(slow_pattern)):
                slow_pattern = slow
            if slow_pattern is not None and slow_pattern.shape is AmbiguityGrowth.EXPONENTIAL:
                break
    except WorkExhausted:
        judge.gave_up = True
    if slow_pattern is not None:
        return slow_pattern
    return UndecidedPattern() if judge.gave_up else HarmlessPattern()


def _severity(slow: SlowPattern) -> tuple[bool, int]:
    return slow.shape is AmbiguityGrowth.EXPONENTIAL, slow.degree


def _may_be_ambiguous(root: Node) -> bool:
    """Returns whether a tree has several long repeats, or one long repeat and some repeat whose body is more than a
    plain sequence of units."""
    loops = len([node for node in walk(root) if isinstance(node, Repeat) and _is_long(node)])
    return loops > 1 or (loops == 1 and fold_tree(root, _choices_of)[1])


def _is_long(node: Repeat) -> bool:
    return node.maximum is None or node.maximum >= FOR_EFFORT.loop_from


def _choices_of(node: Node, child_results: tuple[tuple[bool, bool], ...]) -> tuple[bool, bool]:
    """Returns whether a node is more than a plain sequence of units, and whether the body of a repeat in it is."""
    inside = any(inner for _, inner in child_results)
    if isinstance(node, Repeat) and node.maximum != 1:
        return True, inside or child_results[0][0]
    is_plain = isinstance(node, Chars | Assertion | Sequence | Group | Capture)
    return not is_plain or any(choice for choice, _ in child_results), inside


class _Judge:
    """The analysis of one pattern. All regions share the limit of runs."""

    def __init__(self, pattern: Pattern, work: WorkBudget) -> None:
        self.gave_up = False
        self._work = work
        self._pattern = pattern
        self._lowering = GraphLowering(atoms_of([pattern.root]), FOR_EFFORT, captures_in(pattern.root))
        self._runner: AttackRunner | None = None
        self._runs_left = _MAX_RUNS
        self._tried: set[tuple[AmbiguityGrowth, str, str, str]] = set()

    def region(self, region: MatchedRegion) -> SlowPattern | None:
        """Returns the worst confirmed behaviour of a region; None if there is none."""
        if not _may_be_ambiguous(region.root) or has_separated_repeats(region.root):
            return None
        polynomial: list[Ambiguity] = []
        try:
            graph = self._lowering.graph(region.root, region.direction)
        except GraphTooLarge:
            self.gave_up = True
            return None
        self._work.spend(_WORK_OF_STATE * len(graph.masks))
        search = AmbiguitySearch(graph, self._work)
        try:
            for ambiguity in search.ambiguities():
                self._work.spend(_WORK_OF_AMBIGUITY)
                if not ambiguity.is_loose and can_match_end_anywhere(graph, search.component_of(ambiguity.end)):
                    continue
                # Attack texts are too short to reach the parts behind a repeat with many required rounds.
                self.gave_up = self.gave_up or graph.is_cut
                if ambiguity.shape is AmbiguityGrowth.POLYNOMIAL:
                    polynomial.append(ambiguity)
                    continue
                slow = self._confirmed(region, graph, search, ambiguity, 0)
                if slow is not None:
                    return slow
        except TooAmbiguous:
            self.gave_up = True
        degrees = chain_lengths(
            [(search.index_of(ambiguity.start), search.index_of(ambiguity.end)) for ambiguity in polynomial]
        )
        for degree, ambiguity in sorted(zip(degrees, polynomial, strict=True), key=lambda item: -item[0]):
            slow = self._confirmed(region, graph, search, ambiguity, degree)
            if slow is not None:
                return slow
        return None

    def _confirmed(
        self, region: MatchedRegion, graph: AtomGraph, search: AmbiguitySearch, ambiguity: Ambiguity, degree: int
    ) -> SlowPattern | None:
        """Returns the result for an ambiguity if a run confirms it, else None."""
        if self._runner is None:
            self._runner = AttackRunner(self._pattern, self._work)
        for attack in find_attacks(graph, ambiguity, search.component_of(ambiguity.end), self._work):
            placed_attack = _on_whole_pattern(attack, region)
            pump_root = _primitive_root(placed_attack.pump)
            repeated = (
                ambiguity.shape,
                _without_trailing(placed_attack.prefix, pump_root),
                pump_root,
                placed_attack.suffix,
            )
            if repeated in self._tried:
                continue
            self._tried.add(repeated)
            if ambiguity.is_loose and len(placed_attack.pump) > _MAX_BOUNDED_LENGTH:
                continue
            if self._runs_left == 0:
                self.gave_up = True
                return None
            self._runs_left -= 1
            if ambiguity.shape is AmbiguityGrowth.EXPONENTIAL:
                limit = _MAX_BOUNDED_LENGTH // len(placed_attack.pump) if ambiguity.is_loose else MAX_ROUNDS
                growth = self._runner.measure_doubling(placed_attack, limit)
            else:
                growth = self._growth(placed_attack, ambiguity, degree)
            if growth is None or growth.power < MIN_POWER:
                continue
            if growth.steps < STEP_LIMIT:
                degree = min(degree, max(2, round(growth.power)))
            # Many counted repeats in a row take as long as one that doubles the effort.
            is_power = ambiguity.shape is AmbiguityGrowth.POLYNOMIAL and growth.power <= degree + NEAR_POWER
            shape = AmbiguityGrowth.EXPONENTIAL if ambiguity.is_loose and not is_power else ambiguity.shape
            hotspot = enclosing_items(self._pattern.root, ambiguity.hotspot)
            is_narrow = _is_narrow(graph, ambiguity)
            return SlowPattern(
                shape, degree, hotspot, placed_attack, growth.rounds, growth.steps, is_narrow, ambiguity.is_loose
            )
        return None

    def _growth(self, attack: Attack, ambiguity: Ambiguity, degree: int) -> Growth | None:
        """Returns the growth of the effort. A pattern with bounded growth counts as slow only if a short text
        shows it."""
        assert self._runner is not None, "the caller created the runner"
        if ambiguity.is_loose:
            return self._runner.measure_exhaustion(attack, _MAX_BOUNDED_LENGTH // len(attack.pump))
        return self._runner.measure_power(attack, degree - NEAR_POWER, max(MAX_ROUNDS, MAX_LENGTH // len(attack.pump)))


def _is_narrow(graph: AtomGraph, ambiguity: Ambiguity) -> bool:
    letter, blank, line_end = (1 << graph.atoms.atom_of(ord(char)) for char in "a \n")
    return not any(mask & letter and mask & blank and mask & line_end for mask in ambiguity.pump)


def _on_whole_pattern(attack: Attack, region: MatchedRegion) -> Attack:
    """Converts an attack on a region to an attack on the whole pattern."""
    match region.direction:
        case Direction.FORWARD:
            return replace(attack, prefix=region.before + attack.prefix)
        case Direction.BACKWARD:
            return Attack(attack.suffix[::-1], attack.pump[::-1], attack.prefix[::-1], attack.start, Direction.BACKWARD)
    assert_never(region.direction)


def _primitive_root(text: str) -> str:
    """Returns the shortest text whose repetition is `text`."""
    return text[: (text + text).index(text, 1)]


def _without_trailing(text: str, unit: str) -> str:
    """Returns `text` without the copies of `unit` at its end."""
    while text.endswith(unit):
        text = text[: -len(unit)]
    return text
