"""Interprets a judge's answer to the questions of rules (spec J).

A judge may answer anything: an unreadable answer at most leaves a rule silent.
"""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

from ttsr_ls.rules.rule import Rule

THRESHOLD = 0.7
"""From this probability of a yes on, a rule is broken (spec J1)."""

_OPENING = re.compile(r"[{\[]")
_MAX_ANSWER_LENGTH = 50_000
_MAX_TRIES = 50
_MAX_DIGITS = 5
"""Longer numbers are no numbers of questions, and may take long to convert."""
_NUMBERS = ("question", "number", "id", "index")
_YES = ("probability", "yes", "score", "answer", "value")
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


class JudgeVerdict(Struct, frozen=True):
    """A rule that an output breaks. `probability` is that of a yes, at least `THRESHOLD`."""

    rule: Rule
    probability: float


class Judgement(Struct, frozen=True):
    """The result of an answer: the broken rules, and the rules without a usable answer, which count as kept."""

    broken: tuple[JudgeVerdict, ...]
    open: tuple[Rule, ...]


def judgement(rules: tuple[Rule, ...], answer: str) -> Judgement:
    """Reads a judge's answer to the questions of rules; an unreadable answer leaves all questions open."""
    probabilities = _probabilities(answer[:_MAX_ANSWER_LENGTH])
    found = [(rule, probabilities.get(number)) for number, rule in enumerate(rules, 1)]
    broken = tuple(JudgeVerdict(rule, yes) for rule, yes in found if yes is not None and yes >= THRESHOLD)
    return Judgement(broken, tuple(rule for rule, yes in found if yes is None))


def _probabilities(answer: str) -> dict[int, float]:
    """The probabilities by question, from the first JSON value in an answer that gives any.

    Judges are asked for an object by number. Lists in the order of the questions, and of objects that name their
    question, mean the same, as do words around them.
    """
    decoder = json.JSONDecoder()
    position = 0
    for _ in range(_MAX_TRIES):
        start = _OPENING.search(answer, position)
        if start is None:
            break
        position = start.end()
        try:
            value, position = decoder.raw_decode(answer, start.start())
            found = _read(value)
        except (ValueError, RecursionError):
            continue
        if found:
            return found
    return {}


def _read(value: Any) -> dict[int, float]:
    if isinstance(value, dict):
        by_number = {key: item for key, item in value.items() if key.strip().isdecimal()}
        if by_number:
            pairs = [(int(key), _probability(item)) for key, item in by_number.items() if len(key) <= _MAX_DIGITS]
            return {number: yes for number, yes in pairs if yes is not None}
        return next((found for item in value.values() if isinstance(item, dict | list) and (found := _read(item))), {})
    if not isinstance(value, list):
        return {}
    answers: dict[int, float] = {}
    for position, item in enumerate(value, 1):
        number = next((item[key] for key in _NUMBERS if key in item), position) if isinstance(item, dict) else position
        yes = _probability(item)
        if yes is not None and str(number).isdecimal() and len(str(number)) <= _MAX_DIGITS:
            answers[int(number)] = yes
    return answers


def _probability(value: Any) -> float | None:
    """Returns the probability from any of its spellings; None if there is none."""
    if isinstance(value, dict):
        value = next((value[key] for key in _YES if key in value), None)
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        word = value.strip().lower()[:40]
        if word in _WORDS:
            return _WORDS[word]
        try:
            value = float(word)
        except ValueError:
            return None
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return float(value)
