"""Checks the pattern of a pi-ttsr trigger with the checks of conditions."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ttsr_ls.lint.checks.regex.backtracking import find_slow
from ttsr_ls.lint.checks.regex.beyond_ascii import check_beyond_ascii
from ttsr_ls.lint.checks.regex.characters import check_characters
from ttsr_ls.lint.checks.regex.class_members import check_class_members
from ttsr_ls.lint.checks.regex.foreign_syntax import find_foreign_syntax
from ttsr_ls.lint.checks.regex.never_matches import check_never_matches
from ttsr_ls.lint.checks.regex.repeats import check_repeats
from ttsr_ls.lint.checks.regex.subsumed import check_subsumed
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.problem_findings import findings_of_problems
from ttsr_ls.lint.regex.backtracking_effect import PI_EFFORT
from ttsr_ls.rules.registration import Registration, register
from ttsr_ls.syntax.inspection.strings import mutating_escapes
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.pi.pattern import read_flags
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_CHECKS = (
    check_never_matches, check_characters, check_beyond_ascii, check_class_members, check_repeats, check_subsumed,
)  # fmt: skip
_AS_CONDITION = frozenset("ims")


def check_pi_pattern(file: RuleFile, pi_file: PiRuleFile, registration: Registration) -> Iterator[Finding]:
    """Reports mistakes in a trigger that loads. `file` is the file as omp would read it, `registration` that of
    `pi_file`.
    """
    if pi_file.trigger is None:
        return
    source = file.text[pi_file.trigger.span.start : pi_file.trigger.span.end]
    if source.startswith('"'):
        yield from findings_of_problems(mutating_escapes(source, pi_file.trigger.span), file)
    if registration.rule is None:
        return
    letters = read_flags(pi_file.flags).letters
    if "u" in letters or "v" in letters:
        return
    as_condition = _to_condition(pi_file.trigger, "".join(letter for letter in letters if letter in _AS_CONDITION))
    fields = replace(file.fields, conditions=(as_condition,), shorthand_globs=())
    as_rule = replace(file, fields=fields)
    registration_as_omp, context = register(as_rule, "native"), LintContext()
    for check in _CHECKS:
        yield from check(as_rule, registration_as_omp, context)
    yield from find_foreign_syntax(as_rule, context.limits, has_flags_key=True)
    yield from find_slow(as_rule, registration_as_omp, PI_EFFORT, context.limits)


def _to_condition(trigger: MappedText, letters: str) -> MappedText:
    """Returns the trigger as a condition: with its flags in a group before it, which has no text in the file."""
    start = trigger.span.start
    group = f"(?{letters})" if letters else ""
    return MappedText.joined(((group, Span(start, start)), *trigger.runs(0, len(trigger.value))), trigger.span)
