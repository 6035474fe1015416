"""From a pi-ttsr rule file as read to a rule as the engine uses it. Judges one file by itself."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.tree.units import code_point_offset
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.condition_limits import beyond_limits, limit_message
from ttsr_ls.rules.dialects.pi_rule import FiringLimits, PiRule
from ttsr_ls.rules.rule import InterruptMode, Rule
from ttsr_ls.rules.scope import Scope
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.pi.pattern import (
    FlagsError,
    PiFlags,
    can_be_matched,
    own_condition,
    read_flags,
    stream_condition,
)
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.text import Span

PI_PROVIDER = "pi-ttsr"

_TEXT_ONLY = Scope(text=True, thinking=False, any_tool=False, tools=())


class PiRegistration(Struct, frozen=True):
    """What a pi-ttsr rule file comes to; `rule` is None where pi-ttsr cannot load it, or nothing here can match it."""

    name: str
    path: str
    rule: PiRule | None
    problems: tuple[Problem, ...]


def register_pi(read: PiRuleFile, provider: str = PI_PROVIDER) -> PiRegistration:
    """Compile the trigger of a rule file."""
    try:
        flags = read_flags(read.flags)
    except FlagsError as error:
        return PiRegistration(
            read.file.name,
            read.file.path,
            None,
            (Problem("pi-invalid-flags", _invalid_flags(error), _flags_span(read)),),
        )
    if read.trigger is None:
        return _unusable(read)
    if not can_be_matched(read.trigger.value, flags):
        return PiRegistration(
            read.file.name, read.file.path, None, (Problem("pi-unicode-flag", _UNICODE, _flags_span(read)),)
        )
    if beyond_limits([read.trigger.value]):
        return _unusable(read, Problem("undecided-backtracking", limit_message(1), read.trigger.span))
    try:
        rule = _rule(read, read.trigger.value, flags, provider)
    except RegexSyntaxError as error:
        message = f"This is not a valid regular expression, so pi-ttsr cannot load the rule: {error.message}"
        return PiRegistration(
            read.file.name,
            read.file.path,
            None,
            (Problem("regex-does-not-compile", message, _source_span(read.trigger, error.span)),),
        )
    return PiRegistration(read.file.name, read.file.path, rule, ())


def _unusable(read: PiRuleFile, *problems: Problem) -> PiRegistration:
    return PiRegistration(read.file.name, read.file.path, None, problems)


def _rule(read: PiRuleFile, trigger: str, flags: PiFlags, provider: str) -> PiRule:
    file = read.file
    rule = Rule(
        name=file.name,
        path=file.path,
        provider=provider,
        body=file.body.value,
        description=None,
        conditions=(compile_condition(stream_condition(trigger, flags, read.scope)).shown_as(trigger),),
        ast_conditions=(),
        question=None,
        scope=_TEXT_ONLY,
        globs=(),
        agents=(),
        interrupt_mode=InterruptMode.ALWAYS,
    )
    limits = FiringLimits(read.max_firings, read.cooldown)
    return PiRule(rule, compile_condition(own_condition(trigger, flags)), flags, read.scope, limits)


def _source_span(text: MappedText, units: Span) -> Span:
    start, end = (code_point_offset(text.value, offset) for offset in (units.start, units.end))
    return text.source_span(start, end)


def _flags_span(read: PiRuleFile) -> Span:
    flags = read.file.text_value("flags")
    assert flags is not None, "no text is no flags, and those are valid"
    return flags.span


def _invalid_flags(error: FlagsError) -> str:
    return f"These are not valid flags, so pi-ttsr cannot load the rule: {error}."


_UNICODE = (
    "With this flag the pattern is in a syntax that ttsr-ls does not match, so the rule is not tried here. pi-ttsr "
    "loads it where the pattern is valid with the flag, which is not checked; leave it out unless the pattern needs it."
)
