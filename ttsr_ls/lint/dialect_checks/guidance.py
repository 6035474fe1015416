"""Finds guidance rules that are never in the prompt."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Finding
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode, read_guidance
from ttsr_ls.syntax.dialects.guidance_keys import WINDSURF_TRIGGERS
from ttsr_ls.syntax.dialects.table import WINDSURF, Dialect
from ttsr_ls.syntax.rule_file import RuleFile, ScalarValue

_CODE = "never-told"
_BOOLEAN_WORDS = frozenset(("true", "yes", "on"))


def check_guidance(file: RuleFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports a rule that is never in the prompt, or not when its keys say."""
    read = read_guidance(file.text, name=file.name, path=file.path, dialect=dialect)
    severity = entry_of(_CODE).severity
    if read.activation is ActivationMode.NEVER:
        value = read.file.value("paths") or read.file.value("trigger")
        assert value is not None, "without these keys, every rule is in the prompt"
        missing = "the list of its files is empty"
        if dialect is WINDSURF:
            needed = "globs" if isinstance(value, ScalarValue) and value.data == "glob" else "description"
            missing = f"this trigger needs `{needed}`"
        message = f"{dialect.program} never uses this rule: {missing}."
        yield Finding(_CODE, severity, message, value.span)
    trigger = read.file.text_value("trigger")
    if dialect is WINDSURF and trigger is not None and trigger.value not in WINDSURF_TRIGGERS:
        listed = ", ".join(f"`{known}`" for known in WINDSURF_TRIGGERS)
        message = f"`trigger` must be one of {listed}. With any other value, a person has to mention the rule."
        yield Finding(_CODE, severity, message, trigger.span)
    always = read.file.value("alwaysApply")
    if dialect.find_key("alwaysApply") and isinstance(always, ScalarValue) and _is_word_for_true(always):
        message = "Only the boolean `true` puts the rule into every prompt; this is a text and is ignored."
        yield Finding(_CODE, severity, message, always.span)


def _is_word_for_true(value: ScalarValue) -> bool:
    return isinstance(value.data, str) and value.data.strip().lower() in _BOOLEAN_WORDS
