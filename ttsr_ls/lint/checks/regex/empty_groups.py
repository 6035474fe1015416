"""Finds parentheses of a call, as in `eval()`, which are an empty group in a regular expression."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ttsr_ls.esregex.analysis.slips.copied_code import copied_code
from ttsr_ls.esregex.tree.nodes import Backreference, Capture, Pattern, walk
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import conditions_to_analyse
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_EMPTY = "()"
_ESCAPED = r"\(\)"
_MAX_NAME = 60
_NAME = re.compile(r"(?:(?<=\\[bB])|(?<!\\)\b)[A-Za-z_](?:\w|\\\.)*\Z")
"""A name, also one with escaped dots in it, at the end of a text. An escape such as `\\b` is none."""
_OPENING = r"\("


def check_empty_groups(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports groups without content after a name."""
    for condition in conditions_to_analyse(file, context.limits):
        pattern = condition.condition.pattern
        if copied_code(pattern.source) is not None:  # `foreign-regex-syntax` reports it.
            continue
        for name, span in islice(_empty_calls(pattern), context.limits.findings_of_a_kind):
            message = (
                f"The group {code(_EMPTY, 9)} is empty and matches no parentheses, so {code(name, 40)} is found "
                f"without them, too. Write {code(_ESCAPED, 9)} for parentheses, or {code(_OPENING, 9)} for a call with "
                "any arguments."
            )
            yield condition.report(file, "empty-group", message, span, _ESCAPED)


def _empty_calls(pattern: Pattern) -> Iterator[tuple[str, Span]]:
    """Yields the name before each empty group, and the group's span. None of a pattern with backreferences, which may
    need the group.
    """
    source = pattern.source
    if _EMPTY not in source or any(isinstance(node, Backreference) for node in walk(pattern.root)):
        return
    for node in walk(pattern.root):
        if isinstance(node, Capture) and node.span.end - node.span.start == len(_EMPTY):
            name = _NAME.search(source, max(0, node.span.start - _MAX_NAME), node.span.start)
            if name is not None:
                yield name[0], node.span
