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
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.limits import LINT_LIMITS, LintLimits
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.backtracking_effect import (
    OMP_EFFORT,
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
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

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
    "Split the rule, or write simpler conditions: ttsr-ls bounds every match, and {program} does not."
)


def check_backtracking(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each condition with a known text on which oh-my-pi takes too long."""
    if not _CODES & context.selection.codes:
        return  # The analysis is the costliest of all checks.
    yield from find_slow(file, registration, OMP_EFFORT, context.limits)


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
        judgement = _judge_cached(condition.condition)
        try:
            # A cached judgement costs its original work, so that a file always gets the same findings.
            work.spend(judgement.work)
            yield from _findings(condition, judgement.verdict, effort, work, is_json=is_json)
        except WorkExhausted:
            yield report(_UNDECIDED, _OUT_OF_WORK.format(program=effort.program), condition.text.span)
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
            return tuple(_undecided(condition, effort, work))
        case SlowPattern():
            witnesses = _witnesses_in_json(condition, verdict, work) if is_json else (verdict,)
            findings = (_slow_finding(condition, slow, effort, work) for slow in witnesses)
            return tuple(islice((finding for finding in findings if finding is not None), 1))
        case _:
            assert_never(verdict)


def _witnesses_in_json(condition: ConditionWithSpan, slow: SlowPattern, work: WorkBudget) -> Iterator[SlowPattern]:
    """Yields the verdict with witnesses in JSON form, for a rule that is only matched on JSON. The likeliest first."""
    yield replace(slow, attack=to_command_attack(slow.attack))
    pattern = judge_backtracking(restricted_to_command(condition.condition.pattern), work)
    if isinstance(pattern, SlowPattern):
        yield replace(pattern, attack=to_command_attack(pattern.attack))
    attack = to_arguments_attack(slow.attack)
    if attack is not None:
        yield replace(slow, attack=attack)


class _Judgement(Struct, frozen=True):
    """A verdict, and the work that it took."""

    verdict: BacktrackingVerdict
    work: int


def _judge(condition: Condition) -> _Judgement:
    work = WorkBudget()
    verdict = judge_backtracking(condition.pattern, work)
    return _Judgement(verdict, MAX_PER_PATTERN - work.left)


_judge_short = lru_cache(maxsize=LINT_LIMITS.analysed_conditions)(_judge)


def _judge_cached(condition: Condition) -> _Judgement:
    return _judge(condition) if len(condition.source) > LINT_LIMITS.analysed_units else _judge_short(condition)


class _ProbeResult(Struct, frozen=True):
    """A text on which a pattern of unknown speed is slow, None if none is known, and the work of the search for it."""

    probe: str | None
    work: int


# A small cache, because these patterns are large. It serves an editor, which checks a file again for each fix.
@lru_cache(maxsize=8)
def _cached_probes(condition: Condition) -> list[_ProbeResult]:
    return []


def _undecided(condition: ConditionWithSpan, effort: NoticeableEffort, work: WorkBudget) -> Iterator[Finding]:
    """Reports a pattern of unknown speed only if an ordinary text shows that it is slow."""
    probes = _cached_probes(condition.condition)
    if probes:
        work.spend(probes[0].work)
    else:
        remaining = work.left
        found = find_slow_probe(condition.condition.pattern, work)
        probes.append(_ProbeResult(found, remaining - work.left))
    probe = probes[0].probe
    if probe is not None:
        message = (
            "This condition is too large for an analysis of its matching time, and on a text such as a line of "
            f"{code(probe, 10)} the time grows much faster than the text. Make the condition smaller, or split it: "
            f"ttsr-ls bounds every match, and {effort.program} does not."
        )
        yield report(_UNDECIDED, message, condition.text.span)


class _Explanation(Struct, frozen=True):
    """Code and effect of a finding, empty if there is none, the slow part, and the work that was needed."""

    code: str
    effect: str
    part: Span
    work: int


def _slow_finding(
    condition: ConditionWithSpan, slow: SlowPattern, effort: NoticeableEffort, work: WorkBudget
) -> Finding | None:
    """Returns the finding if a run of the witness is slow enough."""
    is_cached = len(condition.condition.source) <= LINT_LIMITS.analysed_units
    explanations = _cached_explanations(condition.condition, slow, effort) if is_cached else []
    if explanations:
        work.spend(explanations[0].work)
    else:
        remaining = work.left
        found = _explain(condition.condition, slow, effort, work) or ("", "", slow.hotspot)
        explanations.append(_Explanation(*found, remaining - work.left))
    explanation = explanations[0]
    if not explanation.code:
        return None
    part = code(condition.written(explanation.part), 60)
    cause = f"{part} can match the same text in many ways, and an agent tries all of them before it reports no match."
    return report(explanation.code, f"{cause} {explanation.effect}", condition.source_span(slow.hotspot))


@lru_cache(maxsize=LINT_LIMITS.analysed_conditions)
def _cached_explanations(condition: Condition, slow: SlowPattern, effort: NoticeableEffort) -> list[_Explanation]:
    """Returns a list for the explanation, empty at first. An editor checks a file again for each suppression."""
    return []


def _explain(
    condition: Condition, slow: SlowPattern, effort: NoticeableEffort, work: WorkBudget
) -> tuple[str, str, Span] | None:
    """Returns code, effect, and the slow part; None if no witness is exponential and no search is noticeably slow."""
    pattern = condition.pattern
    power = ""
    rounds = _MANY_ROUNDS
    if slow.shape is AmbiguityGrowth.EXPONENTIAL:
        finding_code = _EXPONENTIAL
        shown = witness_rounds(pattern, slow, work)
        if shown is None:
            return None  # The pattern bounds its repeats, so the doubling ends before it is noticeable.
        rounds = shown
    else:
        # A counted repeat ends the growth, so the message states no power.
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
    attack = _to_readable_attack(slow.attack) if condition.flags.ignore_case else slow.attack
    text = _text(attack, rounds)
    if finding_code == _EXPONENTIAL:
        effect = (
            f"Each further {code(attack.pump, 40)} at least doubles the time: {text} {effort.exponential_effect}. "
            "Leave only one way to match: let each round of the repeat begin or end with a character that the rest of "
            "the round cannot match."
        )
    elif finding_code == _POLYNOMIAL:
        effect = (
            f"The time grows {power} the text's length: {text} shows it. Exclude the next character from the repeat, "
            "such as `[^=]*=` instead of `.*=`."
        )
    else:
        effect = f"{effort.slow_text.replace('{text}', text)} Let only one of the repeats match such text."
    return finding_code, effect, slow.hotspot


def _to_readable_attack(attack: Attack) -> Attack:
    """Returns the attack in lower case, for patterns that ignore case."""
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
