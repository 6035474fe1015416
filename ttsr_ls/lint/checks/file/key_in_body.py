"""Finds keys below the frontmatter, which become part of the injected text (spec F4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.rule_file import RuleFile

_CODE = "key-in-body"
# Only what nobody begins a sentence with.
_KEY = re.compile(
    r"(?:condition|astCondition|ast-condition|scope|globs|agents|interruptMode|interrupt-mode|question):[ \t\n]"
)


def check_key_in_body(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a body that begins with a key of rules: the frontmatter was closed too early."""
    found = _KEY.match(file.body.value)
    if found is None or file.frontmatter is None:
        return
    key = found[0].rstrip(": \t\n")
    message = (
        f"`{key}` stands below the frontmatter, so it is a part of the body and has no effect. Move it above the "
        "`---` that closes the frontmatter."
    )
    yield Finding(_CODE, entry_of(_CODE).severity, message, file.body.source_span(0, len(key)))
