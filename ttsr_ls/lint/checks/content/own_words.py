"""Finds rules that fire again when an answer quotes their own text (spec I5)."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, RelatedLocation
from ttsr_ls.lint.regex.conditions import conditions_to_analyse
from ttsr_ls.lint.regex.universality import PatternBreadth, pattern_breadth
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.settings.settings import RepeatMode
from ttsr_ls.rules.stream import Source
from ttsr_ls.syntax.rule_file import RuleFile

_CODE = "matches-own-words"
_STEPS = 100_000
"""How many steps the search of one condition in the body may take."""


def check_own_words(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a condition that matches the body, if the rule may fire again on an answer that quotes the body.

    If rules fire once in a session, this is harmless: most bodies name the forbidden text.
    """
    rule = registration.rule
    if rule is None or context.settings.repeat_mode is not RepeatMode.AFTER_GAP:
        return
    if not (rule.scope.admits_source(Source.TEXT) or rule.scope.admits_source(Source.THINKING)) or rule.globs:
        return
    body = to_units(file.body.value[: context.limits.body])
    for condition in conditions_to_analyse(file, context.limits):
        if condition.condition.cached_analysis(pattern_breadth) is not PatternBreadth.SOME:
            continue
        try:
            span = BacktrackMatcher(condition.condition.pattern, _STEPS).search(body)
        except MatchLimitExceeded:
            return
        if span is not None:
            message = (
                "The rule's own text matches this. With `ttsr.repeatMode: after-gap`, as this project has it, an "
                f"answer that quotes the rule sets it off again after {context.settings.repeat_gap:g} "
                f"{context.settings.repeat_unit or 'answers'}. Describe what is forbidden in words that the condition "
                "does not match."
            )
            related = (RelatedLocation("the matching text", file.body.source_span_of_units(span)),)
            yield report(_CODE, message, condition.text.span, related=related)
            return
