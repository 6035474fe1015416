"""Registers a parsed rule file of oh-my-pi as a rule of the engine, with its bucket (spec B).

Judges each file separately: `rule_set` applies other files and the settings.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.rules.condition import Condition, compile_condition
from ttsr_ls.rules.condition_limits import indexes_beyond_limits, limit_message, limit_reason
from ttsr_ls.rules.dialects.dialect_profile import OMP, DialectProfile
from ttsr_ls.rules.rule import InterruptMode, Rule
from ttsr_ls.rules.scope import make_scope
from ttsr_ls.syntax.misreading import misreading_reason
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import Fields, RuleFile


class Bucket(StrEnum):
    """The use that omp makes of a rule (spec B1)."""

    TTSR = "ttsr"
    """Is matched on the stream; the agent sees nothing of it before it fires."""
    ALWAYS = "always"
    """A part of every prompt."""
    RULEBOOK = "rulebook"
    """Listed to the agent by its description, to be read when needed."""
    DROPPED = "dropped"
    """Has no effect."""
    DISABLED = "disabled"
    """Switched off by `enabled: false` in the file."""


class IgnoredPart(Struct, frozen=True):
    """A condition or a part of the scope that is ignored, as its author wrote it. `reason` is a full sentence."""

    text: str
    reason: str


class Registration(Struct, frozen=True):
    """The registration of a rule file.

    `rule` is the rule that would be matched on streams, None if there is no usable trigger or its scope admits nothing.
    It is also given for a file that is disabled or has no body, so that it can be tried out: only `bucket` decides
    whether it is active. `bucket` holds under default settings and for an agent that `agents` admits; `fallback` is the
    bucket if the rule set does not accept the rule for TTSR. A file without a body is rejected (spec B4). `problems`
    are in source order. `ignored_parts` has the ignored parts of the rule, conditions first.
    """

    name: str
    path: str
    provider: str
    bucket: Bucket
    fallback: Bucket
    agents: tuple[str, ...]
    has_body: bool
    rule: Rule | None
    problems: tuple[Problem, ...]
    ignored_parts: tuple[IgnoredPart, ...] = ()
    misreading: str = ""
    """Why the frontmatter is not read as meant, in full sentences; empty if it is."""
    profile: DialectProfile = OMP


def register(file: RuleFile, provider: str) -> Registration:
    """Compiles the conditions and the scope of a rule file and decides its bucket. `provider` is the id from
    discovery.
    """
    fields = file.fields
    problems: list[Problem] = []
    ignored_parts: list[IgnoredPart] = []
    conditions = _conditions(fields, problems, ignored_parts)
    scope = make_scope(fields.scope)
    has_trigger = bool(conditions or fields.ast_conditions or fields.question is not None)
    if has_trigger and not scope.is_reachable:
        problems.append(_unreachable_scope(file))
    if not file.body.value:
        problems.append(Problem("empty-body", _EMPTY_BODY, file.body.span))
    rule = None
    if has_trigger and scope.is_reachable:
        rule = Rule(
            name=file.name,
            path=file.path,
            provider=provider,
            body=file.body.value,
            description=fields.description,
            conditions=conditions,
            ast_conditions=tuple(text.value for text in fields.ast_conditions),
            question=None if fields.question is None else fields.question.value,
            scope=scope,
            globs=tuple(text.value for text in fields.globs),
            agents=tuple(text.value for text in fields.agents),
            interrupt_mode=None if fields.interrupt_mode is None else InterruptMode(fields.interrupt_mode),
            profile=OMP,
        )
    fallback = _fallback(fields)
    return Registration(
        name=file.name,
        path=file.path,
        provider=provider,
        bucket=_bucket(file, rule, fallback),
        fallback=fallback,
        agents=tuple(text.value for text in fields.agents),
        has_body=bool(file.body.value),
        rule=rule,
        problems=tuple(sorted(problems, key=lambda problem: problem.span)),
        ignored_parts=(*ignored_parts, *_ignored_scope(fields)),
        misreading=misreading_reason(file),
    )


def _bucket(file: RuleFile, rule: Rule | None, fallback: Bucket) -> Bucket:
    if not file.fields.enabled:
        return Bucket.DISABLED
    if not file.body.value:
        return Bucket.DROPPED
    return fallback if rule is None else Bucket.TTSR


def _fallback(fields: Fields) -> Bucket:
    if fields.always_apply:
        return Bucket.ALWAYS
    return Bucket.RULEBOOK if fields.description else Bucket.DROPPED


def _ignored_scope(fields: Fields) -> tuple[IgnoredPart, ...]:
    tokens = (token.text.value for token in fields.scope if token.stream is None)
    return tuple(IgnoredPart(text, "This part of the scope means no stream.") for text in tokens)


def _conditions(fields: Fields, problems: list[Problem], ignored_parts: list[IgnoredPart]) -> tuple[Condition, ...]:
    """Returns the conditions that are matched. One that does not compile is ignored, the others are kept (spec R3)."""
    conditions = []
    too_many = indexes_beyond_limits([text.value for text in fields.conditions])
    left_out = [fields.conditions[index] for index in sorted(too_many)]
    for index, text in enumerate(fields.conditions):
        if index in too_many:
            continue
        try:
            conditions.append(compile_condition(text.value))
        except RegexSyntaxError as error:
            message = f"This is not a valid regular expression, and the condition is ignored: {error.message}"
            problems.append(Problem("regex-does-not-compile", message, text.source_span_of_units(error.span)))
            ignored_parts.append(IgnoredPart(text.value, f"This is not a valid regular expression: {error.message}"))
    if left_out:
        problems.append(Problem("undecided-backtracking", limit_message(len(left_out)), left_out[0].span))
        ignored_parts += [IgnoredPart(text.value, limit_reason(text.value)) for text in left_out]
    return tuple(conditions)


def _unreachable_scope(file: RuleFile) -> Problem:
    entry = None if file.frontmatter is None else file.frontmatter.entry("scope")
    span = file.fields.scope[0].text.span if entry is None else entry.value.span
    message = "No part of this scope names a stream, so the rule never fires."
    return Problem("unreachable-scope", message, span)


_EMPTY_BODY = "The rule has no body to inject, so the agent rejects the rule."
