"""Finds rules that fire, but miss calls that they are meant for: new files, commands, paths."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.after_end import is_dead_after_end
from ttsr_ls.lint.dialect_checks.hookify.alternatives import MATCH_ALL
from ttsr_ls.lint.dialect_checks.hookify.paths.path_patterns import file_names, is_for_path, may_mean_path, means_path
from ttsr_ls.lint.dialect_checks.hookify.tools import tool_names
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import guess, report
from ttsr_ls.syntax.hookify.inputs import HookInput
from ttsr_ls.syntax.hookify.possible_values import can_condition_hold
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition, HookifyFile

_NEVER_CODE = "hookify-never-matches"
_PARTIAL = "hookify-misses-calls"
_NEW_FIELDS = frozenset(("new_text", "new_string"))
_OLD_FIELDS = frozenset(("old_text", "old_string"))
_TEXT_FIELDS = _NEW_FIELDS | {"content"}
_MAX_SHOWN = 60
_WORDS = re.compile(r"[\w)](?:\\s[+*]?| )[\w(-]")
_COMMANDS = re.compile(r"\b(?:commands?|cli|terminal|shell|bash)\b", re.IGNORECASE)
_PATH_FIELD = (
    "A `pattern` is matched on the text that is written to a file, not on the path of the file. Write `conditions` "
    "with the field `file_path`"
)


def check_simple_pattern(file: HookifyFile) -> Iterator[Finding]:
    """Reports a `pattern` that is tested on another text than the author intends, or on none."""
    [condition] = file.conditions
    if file.event in ("stop", "prompt"):
        message = (
            f"A `pattern` has no text to match for the event `{file.event}`, so the rule never fires. Write "
            "`conditions` with the field `transcript`."
        )
        yield report(_NEVER_CODE, message, condition.span)
    elif file.event == "file" and means_path(condition.pattern):
        yield report(_PARTIAL, f"{_PATH_FIELD}.", condition.span, severity=Severity.WARNING)
    elif file.event == "file" and may_mean_path(condition.pattern):
        message = f"{_PATH_FIELD} if the path is meant; for the text, the field `content` includes new files."
        yield report(_PARTIAL, message, condition.span, severity=Severity.INFO)
    elif file.event == "file":
        yield from _named_files(condition)
    elif file.event == "all":
        message = (
            "Without `event: bash`, a `pattern` is matched only on text that is written to files, not on commands. "
            "Write `event: bash` or `event: file`, or `conditions` with a `field`."
        )
        yield report(_PARTIAL, message, condition.span, severity=Severity.WARNING)


def _named_files(condition: HookifyCondition) -> Iterator[Finding]:
    """Reports alternatives that look like file names, in a pattern that is matched on the text."""
    names = file_names(condition.pattern)
    if names and condition.pattern_text is not None:
        name = names[0]
        message = (
            f"{code(condition.pattern[name.start : name.end], _MAX_SHOWN)} looks like a file name, but a `pattern` is "
            "matched on the text that is written to a file, not on its path. Write a second rule for such files, with "
            "`conditions` on the field `file_path`."
        )
        span = condition.pattern_text.source_span(name.start, name.end)
        yield report(_PARTIAL, message, span, severity=Severity.INFO)


def check_path_in_text(file: HookifyFile) -> Iterator[Finding]:
    """Reports conditions on the text of a file whose patterns are written for its path."""
    for condition in file.conditions:
        if not file.is_simple and condition.field in _TEXT_FIELDS and is_for_path(file, condition):
            assert condition.field_text is not None
            message = (
                f"`{condition.field}` is the text that is written to a file, but the pattern looks like one for its "
                "path. Write the field `file_path`."
            )
            fix = guess("Write file_path", condition.field_text.span, "file_path")
            yield report(_PARTIAL, message, condition.field_text.span, fix, severity=Severity.WARNING)


def check_written_files(file: HookifyFile, inputs: tuple[HookInput, ...]) -> Iterator[Finding]:
    """Reports conditions on `new_text`, which is empty for hookify when a whole file is written."""
    firing = {
        hook_input.tool
        for hook_input in inputs
        if all(can_condition_hold(condition, hook_input) for condition in file.conditions)
    }
    if any(
        condition.field in _OLD_FIELDS and (condition.operator != "equals" or condition.pattern)
        for condition in file.conditions
    ):
        return  # A condition on the old text shows that the rule is for edits, unless it requires that there is none.
    if "Write" in firing:
        yield from _always_new(file)
    elif "Edit" in firing and any(hook_input.tool == "Write" for hook_input in inputs):
        yield from _never_new(file)
    if firing and file.event == "all" and not file.is_simple and tool_names(file) is None:
        yield from _not_commands(file)


def _never_new(file: HookifyFile) -> Iterator[Finding]:
    conditions = [condition for condition in file.conditions if condition.field in _NEW_FIELDS]
    if not conditions or any(is_for_path(file, condition) or is_dead_after_end(condition) for condition in conditions):
        return  # The field should be `file_path`, or the pattern matches no text anyway.
    condition = conditions[0]
    message = (
        f"`{condition.field}` is the text that an edit inserts, and is empty when a whole file is written, so the rule "
        "misses new files. "
    )
    if condition.field_text is None:
        message += "Write `conditions` with the field `content`, which includes both."
        yield report(_PARTIAL, message, condition.span, severity=Severity.INFO)
        return
    # All conditions on `new_text` are changed: a remaining one would be matched on an empty text.
    edits = tuple(
        Edit(condition.field_text.span, "content") for condition in conditions if condition.field_text is not None
    )
    fix = Fix("Write content", edits, Safety.UNSAFE)
    message += "Write the field `content`, which includes both."
    yield report(_PARTIAL, message, condition.field_text.span, fix, severity=Severity.INFO)


def _always_new(file: HookifyFile) -> Iterator[Finding]:
    """Reports conditions that require the absence of a text, and hold for every new file because the field is empty."""
    for condition in file.conditions:
        is_absence = condition.operator == "not_contains" or (
            condition.operator == "regex_match" and "(?!" in condition.pattern and condition.pattern not in MATCH_ALL
        )
        if condition.field not in _NEW_FIELDS or not is_absence or condition.field_text is None:
            continue
        message = (
            f"`{condition.field}` is empty when a whole file is written, so this condition holds for every new file. "
            "Write the field `content`, which has the text of both an edit and a new file."
        )
        fix = guess("Write content", condition.field_text.span, "content")
        yield report(_PARTIAL, message, condition.field_text.span, fix, severity=Severity.WARNING)


def _not_commands(file: HookifyFile) -> Iterator[Finding]:
    """Reports `content` in a rule for all events that mentions commands, which have no such field."""
    condition = file.conditions[0]
    is_on_content = {condition.field for condition in file.conditions} == {"content"}
    # Words with blanks between them, in a rule whose text mentions commands.
    is_command = _WORDS.search(condition.pattern) is not None and _COMMANDS.search(file.file.body.value) is not None
    if not is_on_content or not is_command or condition.field_text is None:
        return
    message = (
        "`content` is text that is written to files: commands, prompts and stops have none, even with `event: all`. "
        "Write a second rule with `event: bash` and the field `command` if commands are meant as well."
    )
    yield report(_PARTIAL, message, condition.field_text.span, severity=Severity.INFO)
