"""Finds guidance rules that are never in the prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.ineffective_globs import check_ineffective_globs
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.dialects.foreign_activation import is_word_for_true
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode, read_guidance
from ttsr_ls.syntax.dialects.guidance_keys import WINDSURF_AGENT_TRIGGER, WINDSURF_TRIGGERS
from ttsr_ls.syntax.dialects.table import CURSOR, WINDSURF, Dialect
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.rule_file import RuleFile, ScalarValue
from ttsr_ls.text import first_line_span

_CODE = "never-in-prompt"
_KEYS_BELOW_DELIMITER = re.compile(r"^[ \t\ufeff]*---[ \t]*\r?\n[ \t]*\w+[ \t]*:", re.MULTILINE)
_MAX_HEAD_LENGTH = 2_000
# The other suffix, `.md`, is plain Markdown without frontmatter.
_OWN_SUFFIX = CURSOR.locations[0].suffixes[0]


def check_guidance(file: RuleFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports a rule that is never in the prompt, or not when its keys say, and globs without an effect."""
    guidance_file = read_guidance(file.text, name=file.name, path=file.path, dialect=dialect)
    if guidance_file.activation is ActivationMode.NEVER:
        value = guidance_file.file.value("paths") or guidance_file.file.value("trigger")
        assert value is not None, "without these keys, every rule is in the prompt"
        message = (
            f"{dialect.program} never uses this rule: its list of files is empty. Write the files, or remove the key."
        )
        if dialect is WINDSURF:
            is_for_files = isinstance(value, ScalarValue) and value.data == "glob"
            message = (
                "This trigger needs a `description`, by which the model decides. Write one, or use another trigger."
            )
            if is_for_files:
                message = "This trigger needs `globs`: without them, the rule applies to no file."
        yield report(_CODE, message, value.span)
    trigger = guidance_file.file.text_value("trigger")
    known_triggers = (*WINDSURF_TRIGGERS, WINDSURF_AGENT_TRIGGER)
    if dialect is WINDSURF and trigger is not None and trigger.value not in known_triggers:
        listing = ", ".join(f"`{trigger}`" for trigger in WINDSURF_TRIGGERS)
        message = f"`trigger` must be one of {listing}. With any other value, the user has to mention the rule."
        yield report(_CODE, message, trigger.span)
    yield from check_ineffective_globs(guidance_file)
    always_value = guidance_file.file.value("alwaysApply")
    if dialect.find_key("alwaysApply") and isinstance(always_value, ScalarValue) and is_word_for_true(always_value):
        message = "This value is a text, so it is ignored: only the boolean `true` puts the rule into every prompt."
        yield report(_CODE, message, always_value.span)


def check_missing_frontmatter(file: PlainFile, dialect: Dialect, path: str) -> Iterator[Finding]:
    """Reports a rule of Cursor without frontmatter. `path` is its own, or a relative one."""
    if dialect is not CURSOR or not path.endswith(_OWN_SUFFIX):
        return
    if file.frontmatter is not None or not file.body.value.strip():
        return
    if _KEYS_BELOW_DELIMITER.search(file.text[:_MAX_HEAD_LENGTH]):
        return  # Another finding reports frontmatter that is not recognised, or that stands below a comment.
    message = (
        "Without frontmatter, Cursor uses this rule only if the user mentions it. Between two lines `---` above the "
        "text, write `alwaysApply: true` for every conversation, or a `description` by which the agent decides."
    )
    yield report(_CODE, message, first_line_span(file.text), severity=Severity.INFO)
