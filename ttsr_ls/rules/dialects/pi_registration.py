"""Registers a parsed pi-ttsr rule file as a rule of the engine. Judges each file separately."""

from __future__ import annotations

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.condition_limits import indexes_beyond_limits, limit_message
from ttsr_ls.rules.dialects.dialect_profile import PI
from ttsr_ls.rules.dialects.pi_trigger import FiringLimits, PiTrigger
from ttsr_ls.rules.dialects.single_trigger import single_trigger_registration, single_trigger_rule
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.scope import Scope
from ttsr_ls.syntax.pi.pattern import (
    FlagsError,
    PiFlags,
    can_be_matched,
    read_flags,
    single_text_condition,
    stream_condition,
)
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.text import Span

PI_PROVIDER = "pi-ttsr"

_TEXT_ONLY = Scope(text=True, thinking=False, any_tool=False, tools=())


def register_pi(file: PiRuleFile, provider: str = PI_PROVIDER) -> Registration:
    """Compiles the trigger of a rule file. There is no rule if pi-ttsr cannot load it, or if no matcher here supports
    it.
    """
    try:
        flags = read_flags(file.flags)
    except FlagsError as error:
        return _registration(file, provider, Problem("pi-invalid-flags", _invalid_flags(error), _flags_span(file)))
    if file.trigger is None:
        return _registration(file, provider)
    trigger = file.trigger
    if not can_be_matched(trigger.value, flags):
        return _registration(file, provider, Problem("pi-unicode-flag", _UNICODE, _flags_span(file)))
    if indexes_beyond_limits([trigger.value]):
        return _registration(file, provider, Problem("undecided-backtracking", limit_message(1), trigger.span))
    try:
        return _registration(file, provider, rule=_rule(file, trigger.value, flags, provider))
    except RegexSyntaxError as error:
        message = f"This is not a valid regular expression, so pi-ttsr cannot load the rule: {error.message}"
        span = trigger.source_span_of_units(error.span)
        return _registration(file, provider, Problem("regex-does-not-compile", message, span))


def _registration(file: PiRuleFile, provider: str, *problems: Problem, rule: Rule | None = None) -> Registration:
    return single_trigger_registration(PI, file.file, provider, rule, problems)


def _rule(file: PiRuleFile, trigger: str, flags: PiFlags, provider: str) -> Rule:
    limits = FiringLimits(file.max_firings, file.cooldown)
    pi = PiTrigger(compile_condition(single_text_condition(trigger, flags)), flags, file.scope, limits)
    condition = compile_condition(stream_condition(trigger, flags, file.scope)).with_displayed_text(trigger)
    return single_trigger_rule(PI, file.file, provider, condition, _TEXT_ONLY, pi=pi)


def _flags_span(file: PiRuleFile) -> Span:
    flags = file.file.text_value("flags")
    assert flags is not None, "no text is no flags, and those are valid"
    return flags.span


def _invalid_flags(error: FlagsError) -> str:
    return f"These are not valid flags, so pi-ttsr cannot load the rule: {error}."


_UNICODE = (
    "With this flag the pattern is in a syntax that ttsr-ls does not match, so the rule is not tried here. pi-ttsr "
    "loads it where the pattern is valid with the flag, which is not checked; leave it out unless the pattern needs it."
)
