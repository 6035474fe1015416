"""Finds redundant members of character classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ttsr_ls.esregex.analysis.slips.classes import WordsInClass, odd_classes
from ttsr_ls.esregex.analysis.slips.members import RedundantMember, redundant_members
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_CODE = "redundant-class-member"


def check_class_members(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports members that another member of the same class contains."""
    for condition in conditions_to_analyse(file, context.limits):
        if "[" in condition.condition.pattern.source:
            pattern = condition.condition.pattern
            # Removing a letter of a class that consists of words would hide the finding `words-in-class`.
            words = [odd.span for odd in condition.condition.cached_items(odd_classes) if isinstance(odd, WordsInClass)]
            members = condition.condition.cached_items(redundant_members, context.limits.findings_of_a_kind + 1)
            # Nobody intends a class with more redundant members; something else is wrong with it.
            for member in members if len(members) <= context.limits.findings_of_a_kind else ():
                if not any(span.start <= member.span.start < span.end for span in words):
                    equal = [other for other in members if _is_same_member(pattern.source, member, other)]
                    if member == equal[0]:
                        yield _finding(file, condition, member, equal)


def _is_same_member(source: str, member: RedundantMember, other: RedundantMember) -> bool:
    """Returns whether two redundant members are written alike and stand in the same class."""
    return member.within == other.within and _written(source, member.span) == _written(source, other.span)


def _written(source: str, span: Span) -> str:
    return source[span.start : span.end]


def _finding(
    file: RuleFile, condition: ConditionWithSpan, member: RedundantMember, equal: Sequence[RedundantMember]
) -> Finding:
    """Returns the finding of a member and of the members `equal` to it, with one fix that removes them all."""
    source_text, within = condition.written(member.span), condition.written(member.within)
    if source_text == within and len(equal) > 1:
        message = f"{code(source_text, 20)} is in this class {len(equal) + 1} times. Was another character intended?"
    elif source_text == within:
        message = f"{code(source_text, 20)} is in this class already. Was another character intended?"
    else:
        message = f"{code(source_text, 20)} adds nothing to this class: {code(within, 20)} has it. Remove it."
    edits = [condition.edit(file, member.span, "") for member in equal] if member.is_removable else []
    return report(_CODE, message, condition.source_span(member.span), *build_fixes(_CODE, *edits))
