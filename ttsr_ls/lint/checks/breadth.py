"""Finds conditions that match everything (semantics.md R6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ttsr_ls.engine.registration import Registration
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.conditions import PlacedCondition, placed_conditions
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.nullability import Breadth, breadth
from ttsr_ls.syntax.rule_file import Fields, RuleFile, ScopeToken

_CODE = "matches-everything"

# Nobody writes one of these by accident. With a scope on files they say "whenever such a file is written", and with one
# on a tool "whenever it is called".
_ON_PURPOSE = {".*", ".+", ".", "^", "$", "[\\s\\S]", "[\\s\\S]*", "[\\s\\S]+", "(?s).*", "(?s).+", "(?s)."}


def check_breadth(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each condition that fires on whatever the agent says.

    In a rule with a question none fires by itself: there, it only says what the judge is asked about (J1).
    """
    if file.fields.question is not None:
        return
    # Beside other conditions, one that matches everything makes them superfluous.
    is_narrowed = _is_narrowed(file.fields) and len(file.fields.conditions) == 1
    for placed in placed_conditions(file):
        if is_narrowed and (placed.is_shorthand or placed.condition.source in _ON_PURPOSE):
            continue
        reach = breadth(placed.condition.pattern)
        if reach is not Breadth.SOME:
            yield Finding(_CODE, entry_of(_CODE).severity, _message(placed, reach), placed.text.span)


def _message(placed: PlacedCondition, reach: Breadth) -> str:
    if placed.is_shorthand:
        return (
            "The file glob leaves no condition of its own, so the rule gets `.*`, and its scope also admits streams "
            "that have no file: the rule fires on all of them, with their first word. Remove the other scope tokens, "
            "or give the rule a regular expression."
        )
    return f"{_consequence(reach)} Say what the text must contain, and remove what makes all of the pattern optional."


def _consequence(reach: Breadth) -> str:
    match reach:
        case Breadth.EVERY_TEXT:
            return "This condition matches every text, even the empty one, so the rule fires whatever the agent writes."
        case Breadth.EVERY_CHARACTER:
            return "This condition matches any character, so the rule fires whatever the agent writes."
        case Breadth.SOME:
            return ""
    assert_never(reach)


def _is_narrowed(fields: Fields) -> bool:
    """Whether the scope alone says which calls are meant: those with certain files, or of certain tools."""
    return bool(fields.globs) or (bool(fields.scope) and all(_is_narrow(token) for token in fields.scope))


def _is_narrow(token: ScopeToken) -> bool:
    return token.stream is None or token.glob is not None or token.tool is not None
