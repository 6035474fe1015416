"""Measures what a slow condition costs an agent: runs its witness with a step counter, as a search does.

The analysis of a pattern considers one start of a match. An agent searches from every start, at every delta, so such a
run decides what is reported. Steps are counted instead of time, for the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import exp, log, log2

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.analysis.backtracking.backtracking import SlowPattern
from ttsr_ls.esregex.analysis.backtracking.growth import STEPS_PER_WORK
from ttsr_ls.esregex.analysis.graph.graph_lowering import Direction
from ttsr_ls.esregex.analysis.graph.work import WorkBudget
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.tree.nodes import Pattern

STEPS = 60_000
"""How many steps one run takes at most. Effort on longer texts is calculated from its growth."""
ROUNDS = 100
"""How often a witness with polynomial growth is repeated: a long line, a run of blanks."""
MESSAGE = 2_000
"""Units of a long message, or of a long call of a tool."""
_EXPONENTIAL_ROUNDS = 30
_PROBES = ("a", " ", "a ", "a\n")
_SHORT, _LONG = 8, 32
_MIN_ROUNDS = 6
"""Shorter texts show what happens at their ends rather than in the repeated part."""
_FIRST_ROUNDS = 4
_STRIDES = (1, 2)
"""If rounds are matched in pairs, the effort grows evenly only in steps of two rounds."""
_WORD = "a"
_MIN_RATIO = 16
"""A text four times as long takes four times as many steps if growth is linear, and 16 times as many if quadratic."""


class NoticeableEffort(Struct, frozen=True):
    """The number of steps of a search through `MESSAGE` units from which an agent's user has to wait for 100 ms, and
    how messages describe that in the program that searches.
    """

    steps: int
    has_many_starts: bool
    """Whether the prefix of a match may occur often in a message, as in a file that an agent writes."""
    program: str
    exponential_effect: str
    """What a text with exponential backtracking does, without a full stop."""
    slow_text: str
    """A sentence about a slow search, with `{text}` for the text."""


OMP_EFFORT = NoticeableEffort(
    2_000_000,
    has_many_starts=True,
    program="oh-my-pi",
    exponential_effect="takes oh-my-pi seconds at every delta, and then it answers that nothing matches",
    slow_text="A search takes noticeably long at each delta, from a text such as {text} on.",
)
"""oh-my-pi searches again at each delta. V8 was seen to take 0.2 to 0.8 ns for a step, so this search takes about 1 ms
at the end of the message, and those at its 250 deltas of 8 units take 60 to 200 ms together."""
# JavaScriptCore, on which oh-my-pi runs, gives up eventually; the engines under pi do not.
PI_EFFORT = replace(OMP_EFFORT, program="pi-ttsr", exponential_effect="stops pi indefinitely")
HOOKIFY_EFFORT = NoticeableEffort(
    3_000_000,
    has_many_starts=False,
    program="hookify",
    exponential_effect="holds Claude Code up until it stops the hook, and then the rule does nothing",
    slow_text="A text such as {text} holds the call up for a noticeable time.",
)
"""hookify searches once for each call. A step takes Python 20 to 80 ns, so this search takes at least 60 ms."""


def witness_rounds(pattern: Pattern, slow: SlowPattern, work: WorkBudget) -> int | None:
    """Returns the number of rounds of an exponential witness that takes more than `STEPS`; None if none does.

    Raises `WorkExhausted`, as the other functions of this module do.
    """
    matcher = BacktrackMatcher(pattern, STEPS)
    for rounds in (_EXPONENTIAL_ROUNDS, slow.rounds, 2 * slow.rounds):
        work.spend(STEPS // STEPS_PER_WORK)
        try:
            matcher.count_steps(slow.attack.text(rounds), slow.attack.match_start(rounds))
        except MatchLimitExceeded:
            return rounds
    return None


def is_noticeable_in_lines(pattern: Pattern, slow: SlowPattern, effort: NoticeableEffort, work: WorkBudget) -> bool:
    """Returns whether a search is noticeable in a message of consecutive witnesses, each of up to `ROUNDS` rounds.

    One witness has to take at least `STEPS`: no message consists of runs of blanks only.
    """
    rounds = min(ROUNDS, _most_rounds(slow))
    copies = max(1, MESSAGE // len(slow.attack.text(rounds)))
    steps = _expected_steps(pattern, slow, rounds, work)
    return steps >= STEPS and copies * steps >= effort.steps


def noticeable_in_message(
    pattern: Pattern, slow: SlowPattern, effort: NoticeableEffort, work: WorkBudget
) -> SlowPattern | None:
    """Returns the verdict with a witness that is noticeable at the length of a message; None if neither of two
    witnesses is.

    A run of blanks is not as long as a message: it has at most `ROUNDS`. A witness of several units for each round and
    one start, such as `"a/users?a/users?a`, must have more rounds than any author writes.
    """
    attack = slow.attack
    witnesses = [slow]
    if not attack.pump.strip():
        # Nobody writes long runs of blanks; words with blanks between them are ordinary.
        if _expected_steps(pattern, slow, ROUNDS, work) >= effort.steps:
            return slow
        attack = replace(attack, pump=_WORD + attack.pump)
        witnesses = [replace(slow, attack=attack)]
    if effort.has_many_starts and attack.prefix and attack.direction is Direction.FORWARD:
        repeated = replace(attack, prefix="", pump=attack.prefix + attack.pump)
        witnesses.append(replace(slow, attack=repeated))
    return next(
        (
            slow_pattern
            for slow_pattern in witnesses
            if _expected_steps(pattern, slow_pattern, _most_rounds(slow_pattern), work) >= effort.steps
        ),
        None,
    )


def _most_rounds(slow: SlowPattern) -> int:
    return max(_MIN_ROUNDS, MESSAGE // len(slow.attack.pump))


def _expected_steps(pattern: Pattern, slow: SlowPattern, rounds: int, work: WorkBudget) -> float:
    """Returns the steps of a search through a witness; above `STEPS`, extrapolated from shorter witnesses."""
    matcher = BacktrackMatcher(pattern, STEPS)
    tried, steps, power = 0, 0, float(slow.degree)
    longer = min(_FIRST_ROUNDS, rounds)
    while tried < rounds:
        more = _search_steps(matcher, slow.attack.text(longer), work)
        if more >= STEPS:
            known_steps, known_rounds = (steps, tried) if tried else (STEPS, longer)
            return known_steps * exp(power * log(rounds / known_rounds))
        if tried:
            power = log2(more / steps) / log2(longer / tried)
        tried, steps, longer = longer, more, min(longer + longer // 2, rounds)
    return steps


def match_degree(pattern: Pattern, slow: SlowPattern, work: WorkBudget) -> int | None:
    """Returns the power of the rounds with which the slow match attempt grows; None if no growth is measured."""
    matcher = BacktrackMatcher(pattern, STEPS)

    def steps(rounds: int) -> int:
        return _steps_at(matcher, slow.attack.text(rounds), slow.attack.match_start(rounds), work)

    return _degree(steps, slow.degree + 2)


def search_degree(pattern: Pattern, slow: SlowPattern, work: WorkBudget) -> int | None:
    """Returns the power of the rounds with which a search from every start of the witness grows; None if no growth is
    measured.
    """
    matcher = BacktrackMatcher(pattern, STEPS)

    def steps(rounds: int) -> int:
        return _search_steps(matcher, slow.attack.text(rounds), work)

    # The starts may add a power.
    return _degree(steps, slow.degree + 3)


def _degree(steps: Callable[[int], int], count: int) -> int | None:
    """Returns the degree of growth, measured by `count` efforts at evenly spaced rounds, or else by doubling them."""
    for stride in _STRIDES:
        efforts = []
        for rounds in range(_MIN_ROUNDS, _MIN_ROUNDS + count * stride, stride):
            efforts.append(steps(rounds))
            if efforts[-1] >= STEPS:
                return _degree_by_doubling(steps)
        degree = growth_degree(efforts)
        if degree is not None:
            return degree
    return _degree_by_doubling(steps)


def growth_degree(efforts: list[int]) -> int | None:
    """Returns the degree of the polynomial with these values at evenly spaced arguments; None if they do not determine
    one.

    The values of a polynomial have constant differences of the order of its degree.
    """
    differences = efforts
    for degree in range(len(efforts) - 1):
        if len(set(differences)) == 1:
            return degree
        differences = [after - before for before, after in pairwise(differences)]
    return None


def _degree_by_doubling(steps: Callable[[int], int]) -> int | None:
    """Returns the degree between the two longest texts that take fewer than `STEPS`, one twice as long as the other."""
    rounds, before, degree = _MIN_ROUNDS, 0, None
    while rounds <= ROUNDS:
        effort = steps(rounds)
        if effort >= STEPS:
            return degree
        if before:
            degree = round(log2(effort / before))
        rounds, before = 2 * rounds, effort
    return degree


def find_slow_probe(pattern: Pattern, work: WorkBudget) -> str | None:
    """Returns the first of a few ordinary, repeated texts whose effort grows faster than its length; None if there is
    none.
    """
    matcher = BacktrackMatcher(pattern, STEPS)
    for probe in _PROBES:
        short, long = (_search_steps(matcher, probe * rounds, work) for rounds in (_SHORT, _LONG))
        if short >= STEPS or long > _MIN_RATIO * short:
            return probe
    return None


def _search_steps(matcher: BacktrackMatcher, text: str, work: WorkBudget) -> int:
    """Returns the steps of match attempts at each position of a text, at most `STEPS`."""
    steps = 0
    for start in range(len(text)):
        steps += _steps_at(matcher, text, start, work)
        if steps >= STEPS:
            return STEPS
    return steps


def _steps_at(matcher: BacktrackMatcher, text: str, start: int, work: WorkBudget) -> int:
    """Returns the steps of a match attempt at `start`, at most `STEPS`."""
    try:
        steps = matcher.count_steps(text, start)
    except MatchLimitExceeded:
        steps = STEPS
    work.spend(steps // STEPS_PER_WORK)
    return steps
