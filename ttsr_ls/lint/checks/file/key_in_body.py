"""Finds keys below the frontmatter, which become part of the injected text (spec F4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Edit, Finding, Fix, Severity
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import LineIndex, Span

_CODE = "key-in-body"
# Only keys with which no sentence begins.
_KEY = re.compile(
    r"(?:condition|astCondition|ast-condition|scope|globs|agents|interruptMode|interrupt-mode|question):[ \t\n]"
)
# A second frontmatter at the start of the body.
_SECOND = re.compile(
    r"---[ \t]*\n(?P<lines>(?:[\w-]+:(?:[ \t][^\n]*)?\n|[ \t][^\n]*\n|-[ \t][^\n]*\n){1,100}?)---[ \t]*(?:\n|\Z)"
)
_OTHER_KEY = re.compile(r"^(?:description|alwaysApply|always-apply|enabled):[ \t]", re.MULTILINE)


def check_key_in_body(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a body that begins with a key of rules: the frontmatter was closed too early, or there are two."""
    if file.frontmatter is None:
        return
    if (second := _SECOND.match(file.body.value)) is not None:
        yield from _second_frontmatter_findings(file, second["lines"])
    match = _KEY.match(file.body.value)
    if match is None:
        return
    key = match[0].rstrip(": \t\n")
    message = (
        f"`{key}` stands below the frontmatter, so it is a part of the body and has no effect. Move it above the "
        "`---` that closes the frontmatter."
    )
    span = file.body.source_span(0, len(key))
    yield report(_CODE, message, span, *_move_fixes(file, span))


def _second_frontmatter_findings(file: RuleFile, lines: str) -> Iterator[Finding]:
    has_rule_key = re.search(rf"^{_KEY.pattern}", lines, re.MULTILINE) is not None
    if not has_rule_key and _OTHER_KEY.search(lines) is None:
        return
    message = (
        "oh-my-pi reads only the first frontmatter: this second one is a part of the body, and its keys have no "
        "effect. Write all keys into the first."
    )
    yield report(_CODE, message, file.body.source_span(0, 3), severity=None if has_rule_key else Severity.INFO)


def _move_fixes(file: RuleFile, key: Span) -> tuple[Fix, ...]:
    """Returns the fix that moves a key above the delimiter, if its value is on the line of the key."""
    assert file.frontmatter is not None
    lines = LineIndex(file.text)
    number = lines.position(key.start).line
    start = lines.line_span(number).start
    end = lines.line_span(number + 1).start if number + 1 < lines.line_count else len(file.text)
    line = file.text[start:end]
    # Further lines may be prose.
    is_alone = bool(line[len(key) :].strip(" :\t\r\n")) and not file.text[end:].startswith((" ", "\t", "-"))
    delimiter = lines.line_span(lines.position(file.frontmatter.span.end).line).start
    if start != key.start or not is_alone or not file.text.startswith("---", delimiter) or not line.endswith("\n"):
        return ()
    return build_fixes(_CODE, Edit(Span(delimiter, delimiter), line), Edit(Span(start, end), ""))
