"""Finds keys below the frontmatter, which become part of the injected text (spec F4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Edit, Finding, Fix
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import LineIndex, Span

_CODE = "key-in-body"
# Only what nobody begins a sentence with.
_KEY = re.compile(
    r"(?:condition|astCondition|ast-condition|scope|globs|agents|interruptMode|interrupt-mode|question):[ \t\n]"
)


def check_key_in_body(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a body that begins with a key of rules: the frontmatter was closed too early."""
    match = _KEY.match(file.body.value)
    if match is None or file.frontmatter is None:
        return
    key = match[0].rstrip(": \t\n")
    message = (
        f"`{key}` stands below the frontmatter, so it is a part of the body and has no effect. Move it above the "
        "`---` that closes the frontmatter."
    )
    span = file.body.source_span(0, len(key))
    yield Finding(_CODE, entry_of(_CODE).severity, message, span, _moved(file, span))


def _moved(file: RuleFile, key: Span) -> tuple[Fix, ...]:
    """Moves a key whose value is on its own line above the delimiter."""
    assert file.frontmatter is not None
    lines = LineIndex(file.text)
    number = lines.position(key.start).line
    start = lines.line_span(number).start
    end = lines.line_span(number + 1).start if number + 1 < lines.line_count else len(file.text)
    line = file.text[start:end]
    # A value of several lines may be prose as well.
    is_alone = bool(line[len(key) :].strip(" :\t\r\n")) and not file.text[end:].startswith((" ", "\t", "-"))
    delimiter = lines.line_span(lines.position(file.frontmatter.span.end).line).start
    if start != key.start or not is_alone or not file.text.startswith("---", delimiter) or not line.endswith("\n"):
        return ()
    edits = (Edit(Span(delimiter, delimiter), line), Edit(Span(start, end), ""))
    return (Fix(entry_of(_CODE).fix_title, edits, entry_of(_CODE).fix_safety),)
