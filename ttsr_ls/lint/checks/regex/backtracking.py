"""Finds conditions on which a backtracking engine can take too long (ReDoS)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.esregex.analysis.backtracking.ambiguity import AmbiguityGrowth
from ttsr_ls.esregex.analysis.backtracking.attack import Attack
from ttsr_ls.esregex.analysis.backtracking.backtracking import (
    BacktrackingVerdict,
    HarmlessPattern,
    SlowPattern,
    UndecidedPattern,
    judge_backtracking,
)
from ttsr_ls.esregex.analysis.graph.work import MAX_PER_PATTERN, WorkBudget, WorkExhausted
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.limits import LINT_LIMITS, LintLimits
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.backtracking_effect import (
    EACH_DELTA,
    ROUNDS,
    NoticeableEffort,
    find_slow_probe,
    is_noticeable_in_lines,
    match_degree,
    noticeable_in_message,
    search_degree,
    witness_rounds,
)
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.lint.regex.json_attack import JsonAttack, restricted_to_command, to_arguments_attack, to_command_attack
from ttsr_ls.lint.regex.json_scope import is_json_only
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile

_EXPONENTIAL = "exponential-backtracking"
_POLYNOMIAL = "polynomial-backtracking"
_OVERLAPPING = "overlapping-repeats"
_UNDECIDED = "undecided-backtracking"
_CODES = frozenset((_EXPONENTIAL, _POLYNOMIAL, _OVERLAPPING, _UNDECIDED))

MAX_PER_FILE = 1_200_000
"""How much work the analysis of all conditions of a file may take (see `analysis.work`)."""
_POWERS = {2: "with the square of", 3: "with the cube of"}
_MIN_DEGREE = 2
_MANY_ROUNDS = 1_000
_OUT_OF_WORK = (
    "This condition and those after it are not analysed for backtracking: the analysis of this file takes too long. "
    "Make several rules, or simpler conditions, of it: ttsr-ls bounds every match, and oh-my-pi does not."
)
# Other dialects have other words in the place of these two.
TAKES_OMP_SECONDS = "takes oh-my-pi seconds at every delta, and then it answers that nothing matches."
SLOW_AT_DELTAS = "A search takes noticeably long at each delta, from a text such as"
_MESSAGES = {
    _EXPONENTIAL: (
        f"Each more {{pump}} at least doubles the time: {{text}} {TAKES_OMP_SECONDS} Leave only one way to match: let "
        "each round of the repeat begin or end with a character that the rest of the round cannot match."
    ),
    _POLYNOMIAL: (
        "The time grows {power} the text's length: {text} shows it. Exclude the next character from the repeat, such "
        "as `[^=]*=` instead of `.*=`."
    ),
    _OVERLAPPING: f"{SLOW_AT_DELTAS} {{text}} on. Let only one of the repeats match such text.",
}


def check_backtracking(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each condition with a known text on which oh-my-pi takes too long."""
    if not _CODES & context.selection.codes:
        return  # The analysis is the costliest of all checks.
    yield from find_slow(file, registration, EACH_DELTA, context.limits)


def find_slow(
    file: RuleFile, registration: Registration, effort: NoticeableEffort, limits: LintLimits
) -> Iterator[Finding]:
    """Reports each condition with a known text on which matching takes at least the effort `effort`."""
    found_count = 0
    work = WorkBudget(MAX_PER_FILE)
    is_json = registration.rule is not None and is_json_only(registration.rule.scope)
    for condition in islice(conditions_with_spans(file, limits), limits.analysed_conditions):
        if found_count == limits.findings_of_a_kind:
            break
        judgement = _remembered(condition.condition)
        try:
            # Also where it is remembered, so that the findings of a file are the same every time.
            work.spend(judgement.work)
            yield from _findings(condition, judgement.verdict, effort, work, is_json=is_json)
        except WorkExhausted:
            yield Finding(_UNDECIDED, entry_of(_UNDECIDED).severity, _OUT_OF_WORK, condition.text.span)
            return
        found_count += not isinstance(judgement.verdict, HarmlessPattern)


def _findings(
    condition: ConditionWithSpan,
    verdict: BacktrackingVerdict,
    effort: NoticeableEffort,
    work: WorkBudget,
    *,
    is_json: bool,
) -> tuple[Finding, ...]:
    match verdict:
        case HarmlessPattern():
            return ()
        case UndecidedPattern():
            return tuple(_undecided(condition, work))
        case SlowPattern():
            witnesses = _witnesses_in_json(condition, verdict, work) if is_json else (verdict,)
            findings = (finding for slow in witnesses if (finding := _shown(condition, slow, effort, work)) is not None)
            return tuple(islice(findings, 1))
        case _:
            assert_never(verdict)


def _witnesses_in_json(condition: ConditionWithSpan, slow: SlowPattern, work: WorkBudget) -> Iterator[SlowPattern]:
    """The verdict with texts that a rule may meet which is only tested on arguments in JSON, the likeliest first."""
    yield replace(slow, attack=to_command_attack(slow.attack))
    pattern = judge_backtracking(restricted_to_command(condition.condition.pattern), work)
    if isinstance(pattern, SlowPattern):
        yield replace(pattern, attack=to_command_attack(pattern.attack))
    attack = to_arguments_attack(slow.attack)
    if attack is not None:
        yield replace(slow, attack=attack)


class _Judged(Struct, frozen=True):
    """A verdict, and the work that it took."""

    verdict: BacktrackingVerdict
    work: int


def _judged(condition: Condition) -> _Judged:
    work = WorkBudget()
    verdict = judge_backtracking(condition.pattern, work)
    return _Judged(verdict, MAX_PER_PATTERN - work.left)


_verdict = lru_cache(maxsize=LINT_LIMITS.analysed_conditions)(_judged)


def _remembered(condition: Condition) -> _Judged:
    return _judged(condition) if len(condition.source) > LINT_LIMITS.analysed_units else _verdict(condition)


class _Probed(Struct, frozen=True):
    """A text on which a pattern of unknown speed is slow, None if none is known, and the work that it took."""

    probe: str | None
    work: int


# Few, as these patterns are large: an editor has one file checked several times, without one of its lines each.
@lru_cache(maxsize=8)
def _kept_probes(condition: Condition) -> list[_Probed]:
    return []


def _undecided(condition: ConditionWithSpan, work: WorkBudget) -> Iterator[Finding]:
    """Reports a pattern of unknown speed only if an ordinary text shows that it is slow."""
    probes = _kept_probes(condition.condition)
    if probes:
        work.spend(probes[0].work)
    else:
        remaining = work.left
        found = find_slow_probe(condition.condition.pattern, work)
        probes.append(_Probed(found, remaining - work.left))
    probe = probes[0].probe
    if probe is not None:
        message = (
            "This condition is too large to tell how long it takes, and on a text such as a line of "
            f"{code(probe, 10)} the time grows much faster than the text. Make it smaller, or make several conditions "
            "of it: ttsr-ls bounds every match, and oh-my-pi does not."
        )
        yield Finding(_UNDECIDED, entry_of(_UNDECIDED).severity, message, condition.text.span)


class _Explanation(Struct, frozen=True):
    """Code and message of a finding, blank where there is none, and the work that showed it."""

    code: str
    message: str
    work: int


def _shown(
    condition: ConditionWithSpan, slow: SlowPattern, effort: NoticeableEffort, work: WorkBudget
) -> Finding | None:
    """A finding that is shown by a run."""
    is_kept = len(condition.condition.source) <= LINT_LIMITS.analysed_units
    explanations = _kept_explanations(condition.condition, slow, effort) if is_kept else []
    if explanations:
        work.spend(explanations[0].work)
    else:
        remaining = work.left
        found = _explained(condition.condition, slow, effort, work) or ("", "")
        explanations.append(_Explanation(*found, remaining - work.left))
    if not explanations[0].code:
        return None
    return Finding(
        explanations[0].code,
        entry_of(explanations[0].code).severity,
        explanations[0].message,
        condition.source_span(slow.hotspot),
    )


@lru_cache(maxsize=LINT_LIMITS.analysed_conditions)
def _kept_explanations(condition: Condition, slow: SlowPattern, effort: NoticeableEffort) -> list[_Explanation]:
    """A list for the explanation, empty at first: an editor has a file checked again for each offered suppression."""
    return []


def _explained(
    condition: Condition, slow: SlowPattern, effort: NoticeableEffort, work: WorkBudget
) -> tuple[str, str] | None:
    """The code and the message: an exponential witness blows up, others are felt in a search. None if neither does."""
    pattern = condition.pattern
    power = ""
    rounds = _MANY_ROUNDS
    if slow.shape is AmbiguityGrowth.EXPONENTIAL:
        finding_code = _EXPONENTIAL
        shown = witness_rounds(pattern, slow, work)
        if shown is None:
            return None  # The doubling ends before it is felt: the pattern bounds its repeats.
        rounds = shown
    else:
        # A counted repeat ends the growth, so only the effort on one text is stated.
        is_mild = slow.is_bounded
        if slow.is_narrow and not slow.is_bounded:
            degree = match_degree(pattern, slow, work)
            if degree is None or degree < _MIN_DEGREE:
                return None
            is_mild = degree == _MIN_DEGREE
        finding_code = _OVERLAPPING if is_mild else _POLYNOMIAL
        if is_mild:
            rounds = ROUNDS
            if not is_noticeable_in_lines(pattern, slow, effort, work):
                return None
        else:
            witness = noticeable_in_message(pattern, slow, effort, work)
            if witness is None:
                return None
            slow = witness
            searched = search_degree(pattern, slow, work)
            if searched is None or searched < _MIN_DEGREE:
                return None
            power = _POWERS.get(searched, f"with the {searched}th power of")
    part = code(pattern.source[slow.hotspot.start : slow.hotspot.end], 60)
    message = (
        f"{part} can match the same text in many ways, and an agent tries all of them before it reports no match. "
    )
    attack = _to_readable_attack(slow.attack) if condition.flags.ignore_case else slow.attack
    text, pump = _text(attack, rounds), code(attack.pump, 40)
    message += _MESSAGES[finding_code].format(text=text, pump=pump, power=power)
    return finding_code, message


def _to_readable_attack(attack: Attack) -> Attack:
    """A text in small letters, where case does not count."""
    parts = (attack.prefix, attack.pump, attack.suffix)
    if not all(part.isascii() for part in parts):
        return attack
    prefix, pump, suffix = (part.lower() for part in parts)
    return replace(attack, prefix=prefix, pump=pump, suffix=suffix)


def _text(attack: Attack, rounds: int) -> str:
    parts = [code(attack.prefix, 40)] if attack.prefix else []
    parts.append(f"{rounds:,} times {code(attack.pump, 40)}")
    if attack.suffix:
        parts.append(code(attack.suffix, 40))
    text = " and then ".join(parts)
    return f"an argument of {text}" if isinstance(attack, JsonAttack) else text
