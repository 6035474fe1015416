"""Finds the replacement characters of bytes that are not UTF-8 (spec F1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_CODE = "invalid-utf8"
_REPLACED = re.compile("\ufffd+")
_MESSAGE = (
    "There are bytes here that are not UTF-8, or were not when the file was saved. The agent sees U+FFFD for each, "
    "so a condition matches only that character. Rewrite the text and save the file as UTF-8."
)


def check_encoding(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports replacement characters in the frontmatter; a body may mention them on purpose.

    The caller has decoded the file, so invalid bytes are visible only as replacement characters.
    """
    if file.frontmatter is None:
        return
    for match in _REPLACED.finditer(file.text, file.frontmatter.span.start, file.frontmatter.span.end):
        yield report(_CODE, _MESSAGE, Span(*match.span()))
