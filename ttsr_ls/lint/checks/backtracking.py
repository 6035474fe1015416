"""Finds conditions that can take a backtracking engine too long (ReDoS)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import assert_never

from ttsr_ls.engine.condition import Condition
from ttsr_ls.engine.registration import Registration
from ttsr_ls.esregex.analysis.ambiguity import Shape
from ttsr_ls.esregex.analysis.attack import Attack
from ttsr_ls.esregex.analysis.backtracking import Harmless, Slow, Undecided, Verdict, judge_backtracking
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.conditions import PlacedCondition, placed_conditions
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.shown import code
from ttsr_ls.syntax.rule_file import RuleFile

_EXPONENTIAL = "exponential-backtracking"
_POLYNOMIAL = "polynomial-backtracking"
_OVERLAPPING = "overlapping-repeats"
_UNDECIDED = "undecided-backtracking"

# What is slow takes hundredths of a second to show; a file with more of them is hostile.
_MOST_FOUND = 20
_MOST_ANALYSED = 100
# Long patterns are undecided at once, and must not stay in memory.
_MOST_REMEMBERED = 2_000
_POWERS = {2: "square", 3: "cube"}


def check_backtracking(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each condition for which a text was found on which matching takes too long."""
    found = 0
    for placed in islice(placed_conditions(file), _MOST_ANALYSED):
        if found == _MOST_FOUND:
            break
        verdict = _remembered_verdict(placed.condition)
        match verdict:
            case Harmless():
                continue
            case Undecided():
                found += 1
                entry = entry_of(_UNDECIDED)
                yield Finding(_UNDECIDED, entry.severity, _TOO_LARGE, placed.text.span)
            case Slow():
                found += 1
                finding_code = _code(verdict)
                span = placed.source_span(verdict.hotspot)
                yield Finding(finding_code, entry_of(finding_code).severity, _message(placed, verdict), span)
            case _:
                assert_never(verdict)


@lru_cache(maxsize=64)
def _verdict(condition: Condition) -> Verdict:
    return judge_backtracking(condition.pattern)


def _remembered_verdict(condition: Condition) -> Verdict:
    if len(condition.source) > _MOST_REMEMBERED:
        return judge_backtracking(condition.pattern)
    return _verdict(condition)


def _code(slow: Slow) -> str:
    if slow.shape is Shape.EXPONENTIAL:
        return _EXPONENTIAL
    return _OVERLAPPING if slow.degree == 2 and slow.is_narrow else _POLYNOMIAL


def _message(placed: PlacedCondition, slow: Slow) -> str:
    part = placed.condition.pattern.source[slow.hotspot.start : slow.hotspot.end]
    why = f"{code(part, 60)} can match one text in many ways, and all are tried before an agent gives up."
    if slow.shape is Shape.EXPONENTIAL:
        return (
            f"{why} Each more {code(slow.attack.pump, 40)} at least doubles the time: {_text(slow.attack, 30)} takes "
            "oh-my-pi seconds at every delta, and then it answers that nothing matches. Write it so that there is one "
            "way to match: let what is repeated begin or end with something that the rest of it cannot match."
        )
    power = _POWERS.get(slow.degree, f"{slow.degree}th power")
    if _code(slow) == _OVERLAPPING:
        return (
            f"{why} The time grows with the {power} of the length of a text such as {_text(slow.attack, 1000)}. That "
            "is harmless as long as lines and runs of blanks are short; to be safe, let only one of the repeats match "
            "them."
        )
    return (
        f"{why} The time grows with the {power} of the text's length: {_text(slow.attack, 1000)} shows it. Let what is "
        "repeated exclude what comes next, such as `[^=]*=` in the place of `.*=`."
    )


def _text(attack: Attack, rounds: int) -> str:
    parts = [code(attack.prefix, 40)] if attack.prefix else []
    parts.append(f"{rounds:,} times {code(attack.pump, 40)}")
    if attack.suffix:
        parts.append(code(attack.suffix, 40))
    return " and then ".join(parts)


_TOO_LARGE = (
    "This condition is too large to tell whether an agent can take too long to match it. ttsr-ls bounds every match; "
    "oh-my-pi does not. Make it smaller, or make several conditions of it."
)
