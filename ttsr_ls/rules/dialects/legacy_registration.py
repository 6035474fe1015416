"""Rules of omp before `condition`: one trigger, no scope, no globs (spec L1)."""

from __future__ import annotations

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.condition_limits import indexes_beyond_limits, limit_message
from ttsr_ls.rules.dialects.dialect_profile import OMP_LEGACY
from ttsr_ls.rules.dialects.single_trigger import single_trigger_registration, single_trigger_rule
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.scope import DEFAULT_SCOPE
from ttsr_ls.syntax.keys import LEGACY_CONDITION_KEYS
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import RuleFile, ScalarValue


def register_legacy(file: RuleFile, provider: str) -> Registration:
    """Returns the rule that applies to text and tool calls for `ttsr_trigger`.

    `new RegExp` received the text unchanged: a flag group at its start was an error.
    """
    trigger = _trigger(file)
    if trigger is None:
        return single_trigger_registration(OMP_LEGACY, file, provider, None)
    problem = _problem(trigger)
    if problem is not None:
        return single_trigger_registration(OMP_LEGACY, file, provider, None, (problem,))
    condition, description = compile_condition(trigger.value), file.fields.description
    rule = single_trigger_rule(OMP_LEGACY, file, provider, condition, DEFAULT_SCOPE, description)
    return single_trigger_registration(OMP_LEGACY, file, provider, rule)


def _problem(trigger: MappedText) -> Problem | None:
    if indexes_beyond_limits([trigger.value]):
        return Problem("undecided-backtracking", limit_message(1), trigger.span)
    try:
        parse(trigger.value)
    except RegexSyntaxError as error:
        message = f"This is not a valid regular expression, so the rule never fires: {error.message}"
        return Problem("regex-does-not-compile", message, trigger.source_span_of_units(error.span))
    return None


def _trigger(file: RuleFile) -> MappedText | None:
    if file.frontmatter is None:
        return None
    for key in LEGACY_CONDITION_KEYS:
        entry = file.frontmatter.entry(key)
        if entry is not None and isinstance(entry.value, ScalarValue) and isinstance(entry.value.data, str):
            return entry.value.text if entry.value.data else None
    return None
