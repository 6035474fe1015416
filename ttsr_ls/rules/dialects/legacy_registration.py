"""Rules of omp before `condition`: one trigger, no scope, no globs (spec L1)."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.units import code_point_offset
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.condition_limits import beyond_limits, limit_message
from ttsr_ls.rules.rule import InterruptMode, Rule
from ttsr_ls.rules.scope import DEFAULT_SCOPE
from ttsr_ls.syntax.keys import LEGACY_CONDITION_KEYS
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import RuleFile, ScalarValue


class LegacyRegistration(Struct, frozen=True):
    """What a rule file came to then; `rule` is None where it had no trigger, or one that did not compile."""

    name: str
    path: str
    rule: Rule | None
    problems: tuple[Problem, ...]


def register_legacy(file: RuleFile, provider: str) -> LegacyRegistration:
    """The rule that watches text and tool calls for `ttsr_trigger`. To be run with the discipline `OMP_LEGACY`.

    `new RegExp` got the text as it stands: a flag group at its start was an error.
    """
    trigger = _trigger(file)
    if trigger is None:
        return LegacyRegistration(file.name, file.path, None, ())
    if beyond_limits([trigger.value]):
        problem = Problem("undecided-backtracking", limit_message(1), trigger.span)
        return LegacyRegistration(file.name, file.path, None, (problem,))
    try:
        parse(trigger.value)
    except RegexSyntaxError as error:
        start, end = (code_point_offset(trigger.value, unit) for unit in (error.span.start, error.span.end))
        message = f"This is not a valid regular expression, so the rule was skipped: {error.message}"
        problem = Problem("regex-does-not-compile", message, trigger.source_span(start, end))
        return LegacyRegistration(file.name, file.path, None, (problem,))
    rule = Rule(
        name=file.name,
        path=file.path,
        provider=provider,
        body=file.body.value,
        description=file.fields.description,
        conditions=(compile_condition(trigger.value),),
        ast_conditions=(),
        question=None,
        scope=DEFAULT_SCOPE,
        globs=(),
        agents=(),
        interrupt_mode=InterruptMode.ALWAYS,
    )
    return LegacyRegistration(file.name, file.path, rule, ())


def _trigger(file: RuleFile) -> MappedText | None:
    if file.frontmatter is None:
        return None
    for key in LEGACY_CONDITION_KEYS:
        entry = file.frontmatter.entry(key)
        if entry is not None and isinstance(entry.value, ScalarValue) and isinstance(entry.value.data, str):
            return entry.value.text if entry.value.data else None
    return None
