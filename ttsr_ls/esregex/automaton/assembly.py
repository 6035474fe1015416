"""Builds an automaton: sorts the patterns into groups and lowers each group."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.automaton.dfa.alphabet import Alphabet
from ttsr_ls.esregex.automaton.dfa.cache_evictor import CacheEvictor
from ttsr_ls.esregex.automaton.dfa.fixed_texts import fold
from ttsr_ls.esregex.automaton.dfa.lazy_dfa import LazyDfa
from ttsr_ls.esregex.automaton.dfa.lookaround_determinizer import LookaroundDeterminizer
from ttsr_ls.esregex.automaton.dfa.lookback import lookback
from ttsr_ls.esregex.automaton.dfa.nfa_program import NfaProgram
from ttsr_ls.esregex.automaton.dfa.pattern_group import MAX_READ_AT_ONCE_WITH_LOOKAROUNDS, PatternGroup
from ttsr_ls.esregex.automaton.dfa.plain_determinizer import PlainDeterminizer
from ttsr_ls.esregex.automaton.dfa.table_pool import TablePool
from ttsr_ls.esregex.automaton.dfa.thread_transitions import ThreadTransitions
from ttsr_ls.esregex.automaton.nfa.approximation import Exactness, add_pattern
from ttsr_ls.esregex.automaton.nfa.composites import (
    Composite,
    CompositeConjunction,
    Composites,
    CompositeSuccession,
    parts_of,
)
from ttsr_ls.esregex.automaton.nfa.conjunction import conjunction
from ttsr_ls.esregex.automaton.nfa.limits import Limits, SpareWork
from ttsr_ls.esregex.automaton.nfa.lowering_errors import UnsupportedHere
from ttsr_ls.esregex.automaton.nfa.nfa_graph import NfaGraph, NfaGroup, StateGrowth, UnitSets
from ttsr_ls.esregex.automaton.nfa.succession import succession
from ttsr_ls.esregex.automaton.nfa.tree_predicates import starts_at_start
from ttsr_ls.esregex.automaton.prefilters.factor_occurrence import FactorOccurrence
from ttsr_ls.esregex.automaton.prefilters.factor_search import FactorSearch
from ttsr_ls.esregex.automaton.prefilters.pattern_groups import PatternGroups
from ttsr_ls.esregex.automaton.prefilters.prefilter import Prefilter, prefilter
from ttsr_ls.esregex.automaton.prefilters.whole_texts import WholeTexts
from ttsr_ls.esregex.finality.constant_assertions import fold_assertions
from ttsr_ls.esregex.parse.escapes import WORD_UNITS
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.esregex.tree.pattern_size import is_too_large
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT

_OPENING = re.compile(r"(?:\\b|\^|\\s[*+]?|\(\?:|\(\?i:|\(|\|)+")
_MANY_ITEMS = 200
_STATES_PER_PATTERN = 50
"""One pattern hardly ever needs more states."""
_WORK_OF_AUTOMATON = 100
_ONE_UNIT = parse(r"[^]")
_ANY = NfaGroup(StateGrowth.COUNTING, looks_allowed=False)
_CALM = NfaGroup(StateGrowth.CALM, looks_allowed=False)


class Assembly(Struct, frozen=True):
    """The parts from which an automaton is built."""

    alphabet: Alphabet
    groups: PatternGroups
    whole_texts: WholeTexts
    exactness: tuple[Exactness, ...]
    plain: frozenset[int]
    """The exact patterns without lookarounds of more than one unit. If a match of theirs is uncertain, it becomes final
    where the candidate is reported, or not at all."""
    composites: Composites
    evictor: CacheEvictor
    pool: TablePool
    limits: Limits


def assemble(
    patterns: Sequence[Pattern], limits: Limits, on_excess: Callable[[PatternGroup, LazyDfa], None]
) -> Assembly:
    """Lowers the patterns, in groups. `on_excess` is called for a group's automaton each time it has made very many
    states.
    """
    sets = UnitSets()
    word_set = sets.number(WORD_UNITS)
    sets.number(EVERY_UNIT)
    members = _OpenGroups(sets, limits)
    first_part = len(patterns)
    whole_patterns = {number: fold_assertions(pattern) for number, pattern in enumerate(patterns)}
    parts, composites = _parts(whole_patterns, first_part, limits)
    exactness = {number: members.add(part, number) for number, part in sorted(parts.items(), key=_sort_key)}
    kept = [
        composite for composite in composites if all(exactness[part] is Exactness.EXACT for part in parts_of(composite))
    ]
    exactness |= {item.pattern: Exactness.EXACT for item in kept}
    for composite in composites:
        if composite.pattern not in exactness:
            exactness[composite.pattern] = members.add(whole_patterns[composite.pattern], composite.pattern)
    alphabet = Alphabet(sets.sets)
    approximate = frozenset([index for index, each in exactness.items() if each is not Exactness.EXACT])
    pool = TablePool(min(2 * limits.states, _STATES_PER_PATTERN * len(patterns)))
    evictor = CacheEvictor(limits.states)

    def make_dfas(graph: NfaGraph) -> Callable[[frozenset[int]], LazyDfa]:
        made: list[tuple[NfaProgram, ThreadTransitions]] = []

        def prepare() -> None:
            program = NfaProgram(graph, alphabet, word_set, approximate)
            made.append((program, ThreadTransitions(program)))

        if len(graph.labels) > _MANY_ITEMS:
            # Prepared eagerly: preparing a large group at its first use would be noticeable.
            prepare()

        def make(without: frozenset[int]) -> LazyDfa:
            evictor.work += _WORK_OF_AUTOMATON
            if not made:
                prepare()
            program, transitions = made[0]
            kind = LookaroundDeterminizer if graph.nfa_group.looks_allowed else PlainDeterminizer
            determinizer = kind(program, transitions, program.items_of_patterns(without))
            counters = tuple([counter.limit for counter in graph.counters])
            return LazyDfa(program, determinizer, alphabet, pool, evictor, counters, limits.states_per_group)

        return make

    groups, whole_texts = members.groups(alphabet, pool, evictor, make_dfas, on_excess)
    reports = tuple([exactness.get(number, Exactness.EXACT) for number in range(first_part)])
    plain = members.without_looks & frozenset([item for item, each in exactness.items() if each is Exactness.EXACT])
    return Assembly(alphabet, groups, whole_texts, reports, plain, Composites(kept, first_part), evictor, pool, limits)


def _parts(patterns: Mapping[int, Pattern], number: int, limits: Limits) -> tuple[dict[int, Pattern], list[Composite]]:
    """Returns the patterns to be lowered, by number, and the composites made of them. The parts have numbers from
    `number` on."""
    parts = dict(patterns)
    composites: list[Composite] = []
    stop = number + limits.parts
    for index, pattern in patterns.items():
        composite: Composite
        if is_too_large(pattern):
            continue
        if (conjoined := conjunction(pattern)) is not None:
            middle = number + len(conjoined.present)
            end = middle + len(conjoined.absent)
            if end > min(stop, number + limits.parts_per_pattern):
                continue
            composite = CompositeConjunction(index, frozenset(range(number, middle)), frozenset(range(middle, end)))
            parts.update(zip(range(number, end), conjoined.present + conjoined.absent, strict=True))
        elif (steps := succession(pattern)) is not None:
            end = number + len(steps)
            if end > min(stop, number + limits.parts_per_pattern):
                continue
            composite = CompositeSuccession(index, tuple(range(number, end)), steps)
            parts.update(zip(range(number, end), [step.pattern for step in steps], strict=True))
        else:
            continue
        del parts[index]
        composites.append(composite)
        number = end
    return parts, composites


def _sort_key(numbered: tuple[int, Pattern]) -> str:
    """Returns a key that sorts patterns with the same beginning together: their threads start and end together, so that
    the patterns share states."""
    source = numbered[1].source
    match = _OPENING.match(source)
    return source[match.end() if match else 0 :].lower()


class _Kind(Struct, frozen=True):
    """The properties that the patterns of a group share. `alone` is the number of a pattern that has a group of its
    own."""

    nfa_group: NfaGroup
    texts: frozenset[str]
    is_anchored: bool
    alone: int | None


class _OpenGroup:
    """A group under construction."""

    def __init__(self, kind: _Kind, graph: NfaGraph) -> None:
        self.kind = kind
        self.graph = graph
        self.patterns: list[int] = []
        self.filters: list[Prefilter] = []


class _OpenGroups:
    """Groups under construction; each pattern goes to the last one of its kind."""

    def __init__(self, sets: UnitSets, limits: Limits) -> None:
        self._sets = sets
        self._limits = limits
        self._spare = SpareWork(limits.spare_work)
        self._last: dict[_Kind, _OpenGroup] = {}
        self._with_factors: Counter[frozenset[str]] = Counter()
        self._groups: list[_OpenGroup] = []

    def add(self, pattern: Pattern, number: int) -> Exactness:
        """Lowers a pattern, or a part of one."""
        is_anchored = starts_at_start(pattern)
        # Patterns that match only at the start of a text are soon decided, and need no factors.
        found = None if is_anchored or is_too_large(pattern) else prefilter(pattern, self._limits.factor_bits)
        texts = frozenset[str]() if found is None else found.texts
        self._with_factors[texts] += 1
        is_alone = found is not None and found.is_rare and self._with_factors[texts] <= self._limits.like_factors
        kind = _Kind(
            _CALM if found is not None else _ANY,
            texts,
            is_anchored,
            number if is_alone else None,
        )
        while True:
            group = self._open_group(kind)
            try:
                exactness = add_pattern(group.graph, pattern, number, self._limits.items_per_pattern, self._spare)
            except UnsupportedHere as unsupported:
                nfa_group = unsupported.nfa_group
                if found is None:
                    nfa_group = replace(nfa_group, growth=StateGrowth.COUNTING)
                kind = replace(kind, nfa_group=nfa_group)
                continue
            if exactness is Exactness.OUTSIDE and found is not None:
                # Reports a candidate wherever a factor occurs, so that the pattern is not searched for earlier.
                add_pattern(group.graph, _ONE_UNIT, number, _MANY_ITEMS, self._spare)
                exactness = Exactness.ANY_TIME
            if exactness is not Exactness.OUTSIDE:
                if not group.patterns:
                    self._last[kind] = group
                    self._groups.append(group)
                group.patterns.append(number)
                if found is not None:
                    group.filters.append(found)
            return exactness

    def _open_group(self, kind: _Kind) -> _OpenGroup:
        group = self._last.get(kind)
        limits = self._limits
        most = limits.lookaround_patterns_per_group if kind.nfa_group.looks_allowed else limits.patterns_per_group
        if group is None or len(group.graph.labels) >= limits.items_per_group or len(group.patterns) >= most:
            group = _OpenGroup(kind, NfaGraph(self._sets, kind.nfa_group))
        return group

    @property
    def without_looks(self) -> frozenset[int]:
        """The patterns without lookarounds of more than a unit."""
        return frozenset(
            [pattern for group in self._groups if not group.kind.nfa_group.looks_allowed for pattern in group.patterns]
        )

    def groups(
        self,
        alphabet: Alphabet,
        pool: TablePool,
        evictor: CacheEvictor,
        make_dfas: Callable[[NfaGraph], Callable[[frozenset[int]], LazyDfa]],
        on_excess: Callable[[PatternGroup, LazyDfa], None],
    ) -> tuple[PatternGroups, WholeTexts]:
        """Returns the finished groups."""
        numbers: dict[str, int] = {}
        by_factor: list[list[FactorOccurrence]] = []
        groups: list[PatternGroup] = []
        for number, group in enumerate(self._groups):
            steps = dict.fromkeys([steps for found in group.filters for steps in found.lookbacks])
            pattern_group = PatternGroup(
                number,
                frozenset(group.patterns),
                [lookback(step, alphabet.units) for step in steps],
                group.kind.is_anchored,
                make_dfas(group.graph),
                on_excess,
            )
            if group.kind.nfa_group.looks_allowed:
                # Sixteen units may take milliseconds, even after many cheap ones.
                pattern_group.read_at_once, pattern_group.most_at_once = 1, MAX_READ_AT_ONCE_WITH_LOOKAROUNDS
            groups.append(pattern_group)
            for text in group.kind.texts:
                source = text
                if not text.isascii():
                    source = "".join([fold(alphabet.units[alphabet.code_of(ord(unit))]) for unit in text])
                factors = [factor for found in group.filters for factor in found.factors if text in factor.texts]
                number_of_text = numbers.setdefault(source, len(numbers))
                if number_of_text == len(by_factor):
                    by_factor.append([])
                by_factor[number_of_text].append(FactorOccurrence(pattern_group, text, factors, alphabet))
        parts = (
            groups,
            by_factor,
            FactorSearch(numbers, by_factor, alphabet),
            len(alphabet.units),
            pool,
            evictor,
            self._limits,
        )
        return PatternGroups(*parts), WholeTexts(*parts)
