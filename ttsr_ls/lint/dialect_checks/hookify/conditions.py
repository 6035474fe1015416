"""Checks of events, fields, operators and tools: whether some call exists on which all conditions can hold."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.alternatives import MATCH_ALL
from ttsr_ls.lint.dialect_checks.hookify.paths import means_path
from ttsr_ls.lint.dialect_checks.hookify.reporting import guess, report
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.syntax.hookify.inputs import (
    CONDITION_FIELDS,
    HOOK_INPUTS,
    NEVER_SENT,
    OTHER_TOOL_FIELDS,
    FieldValue,
    HookInput,
    inputs_of,
)
from ttsr_ls.syntax.hookify.keys import HOOKIFY_EVENTS, HOOKIFY_OPERATORS
from ttsr_ls.syntax.hookify.python_pattern import find_in_empty
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition, HookifyFile
from ttsr_ls.syntax.near_miss import nearest
from ttsr_ls.syntax.rule_file import ScalarValue

_NEVER = "hookify-never-matches"
_PARTIAL = "hookify-misses-calls"
_NEW_FIELDS = frozenset(("new_text", "new_string"))
_OLD_FIELDS = frozenset(("old_text", "old_string"))
_SHOWN = 40
_HOOK_EVENTS = ("PreToolUse", "PostToolUse", "Stop", "SubagentStop", "UserPromptSubmit", "Notification")
_FIELD_OF_EVENT = {"bash": ("command",), "file": ("file_path", "new_text", "content"), "stop": ("transcript",)}


def check_conditions(read: HookifyFile) -> Iterator[Finding]:
    """Reports what keeps a rule from ever firing, and the calls that it misses."""
    assert read.block is not None
    inputs = _inputs(read)
    if not inputs:
        yield _unknown_event(read)
        for condition in () if read.is_simple else read.conditions:
            yield from _condition(read, condition, is_dead=False)
        return
    if not read.conditions:
        if not _has_trigger_value(read):
            message = "The rule has neither a `pattern` nor `conditions`, and without one it never fires."
            yield report(_NEVER, message, read.block.frontmatter.entries[0].key_span)
        return
    admitted = tuple(each for each in inputs if _admits(read, each))
    if not admitted:
        if not _names_other_tools(read):
            yield _tool_matcher(read)
        return
    if read.is_simple:
        yield from _simple(read)
    else:
        yield from _listed(read, admitted)
    yield from _new_files(read, admitted)


def _inputs(read: HookifyFile) -> tuple[HookInput, ...]:
    return () if read.event is None else inputs_of(read.event)


def _unknown_event(read: HookifyFile) -> Finding:
    value = read.file.value("event")
    assert value is not None
    assert read.file.frontmatter is not None
    span = value.span if len(value.span) else read.file.frontmatter.by_name()["event"].key_span
    listed = ", ".join(f"`{known}`" for known in HOOKIFY_EVENTS)
    message = f"`event` is one of {listed}, so this rule never fires."
    words = (read.event or "").strip("[]\"' ").lower().split()
    meant = next((word for word in words[:1] if word in HOOKIFY_EVENTS), None)
    meant = meant or nearest(read.event or "", HOOKIFY_EVENTS)
    if len(words) > 1 and words[1].startswith("#"):
        message = f"`event` is one of {listed}. hookify has no comments behind a value, so this rule never fires."
    elif not isinstance(value, ScalarValue) or (read.event or "").startswith("["):
        message = f"`event` is one of {listed}, and never a list: this rule never fires. Write one file for each event."
    fixes = () if meant is None else (guess(f"Write {meant}", span, meant),)
    return report(_NEVER, message, span, *fixes)


def _has_trigger_value(read: HookifyFile) -> bool:
    """Whether `conditions` or `pattern` has a value that another check speaks of."""
    conditions, pattern = read.file.value("conditions"), read.file.value("pattern")
    if read.unreadable_items or isinstance(conditions, ScalarValue):
        return True
    return (
        pattern is not None
        and not (isinstance(pattern, ScalarValue) and pattern.data == "")
        and bool(len(pattern.span))
    )


def _admits(read: HookifyFile, each: HookInput) -> bool:
    matcher = read.file.value("tool_matcher")
    if not isinstance(matcher, ScalarValue) or not matcher.data or matcher.data == "*":
        return True
    return isinstance(matcher.data, str) and (each.tool or "") in matcher.data.split("|")


def _names_other_tools(read: HookifyFile) -> bool:
    """Whether the rule is for a tool without an event of its own: hookify tries all rules on such calls."""
    matcher = read.file.value("tool_matcher")
    if not isinstance(matcher, ScalarValue) or not isinstance(matcher.data, str):
        return False
    known = {*(each.tool for each in HOOK_INPUTS), *_HOOK_EVENTS}
    tools = matcher.data.split("|")
    return any(tool[:1].isupper() and tool.isalnum() and tool not in known for tool in tools) or any(
        tool.startswith("mcp__") for tool in tools
    )


def _tool_matcher(read: HookifyFile) -> Finding:
    matcher = read.file.value("tool_matcher")
    assert isinstance(matcher, ScalarValue)
    tools = ", ".join(f"`{each.tool}`" for each in _inputs(read) if each.tool) or "no tool"
    message = (
        f"No call of the event `{read.event}` passes this `tool_matcher`, so the rule never fires: the event is for "
        f"{tools}. Names are compared exactly, with `|` between them and no spaces."
    )
    return report(_NEVER, message, matcher.span)


def _simple(read: HookifyFile) -> Iterator[Finding]:
    [condition] = read.conditions
    if read.event in ("stop", "prompt"):
        message = (
            f"A `pattern` has nothing to look at when the event is `{read.event}`, so the rule never fires. Write "
            "`conditions` with the field `transcript`."
        )
        yield report(_NEVER, message, condition.span)
    elif read.event == "file" and means_path(condition.pattern):
        message = (
            "A `pattern` is tried on the text that is written to a file, not on the path of the file. Write "
            "`conditions` with the field `file_path`."
        )
        yield report(_PARTIAL, message, condition.span, severity=Severity.WARNING)
    elif read.event == "all":
        message = (
            "Without `event: bash`, a `pattern` is only tried on what is written to files, not on commands. Write "
            "`event: bash` or `event: file`, or `conditions` with a `field`."
        )
        yield report(_PARTIAL, message, condition.span, severity=Severity.WARNING)


def _listed(read: HookifyFile, admitted: tuple[HookInput, ...]) -> Iterator[Finding]:
    possible = set(admitted)
    is_explained = False
    for condition in read.conditions:
        holds = {each for each in admitted if _can_hold(condition, each)}
        found = tuple(_condition(read, condition, is_dead=not holds))
        yield from found
        is_explained = is_explained or bool(found)
        possible &= holds
    if not possible and not is_explained and not _names_other_tools(read):
        message = (
            "No call has all of these fields, and all conditions must hold, so the rule never fires. Write one rule "
            "for each kind of call."
        )
        yield report(_NEVER, message, read.conditions[0].span)


def _condition(read: HookifyFile, condition: HookifyCondition, *, is_dead: bool) -> Iterator[Finding]:
    operator = condition.operator
    if operator not in HOOKIFY_OPERATORS:
        assert condition.operator_text is not None
        span = condition.operator_text.span
        listed = ", ".join(f"`{known}`" for known in HOOKIFY_OPERATORS)
        meant = nearest(operator, HOOKIFY_OPERATORS) or _SYNONYMS.get(operator.lower())
        fixes = () if meant is None else (guess(f"Write {meant}", span, meant),)
        message = f"hookify has no operator {code(operator, _SHOWN)}, so the rule never fires. It has {listed}."
        yield report(_NEVER, message, span, *fixes)
    if operator in HOOKIFY_OPERATORS and (is_dead or condition.field in NEVER_SENT):
        yield from _dead_field(read, condition, is_dead=is_dead)
    if condition.pattern_text is None or not condition.pattern:
        yield from _no_pattern(condition)


def _dead_field(read: HookifyFile, condition: HookifyCondition, *, is_dead: bool) -> Iterator[Finding]:
    field = condition.field
    if condition.field_text is None:
        message = "The condition has no `field`, so there is nothing that it could look at, and the rule never fires."
        yield report(_NEVER, message, condition.span)
        return
    span = condition.field_text.span
    if field in NEVER_SENT:
        if not is_dead and condition.pattern in MATCH_ALL:
            return  # It is to hold always.
        severity = Severity.WARNING if field == "user_prompt" or not is_dead else None
        effect = "and the rule never fires" if is_dead else "and holds always"
        message = (
            f"hookify finds nothing in `{field}`: Claude Code does not send it under this name, so the condition is "
            f"tried on an empty text, {effect}. `transcript` is the field that it can read there."
        )
        yield report(_NEVER, message, span, severity=severity)
        return
    if field in OTHER_TOOL_FIELDS and (read.event == "all" or _names_other_tools(read)):
        return
    known = _FIELD_OF_EVENT.get(read.event or "", CONDITION_FIELDS)
    meant = nearest(field, CONDITION_FIELDS) or _FIELD_SYNONYMS.get(field.lower())
    meant = meant if meant in inputs_with(read) else None
    fixes = () if meant is None else (guess(f"Write {meant}", span, meant),)
    where = f"the event `{read.event}`" if read.event != "all" else "any event"
    message = (
        f"{code(field, _SHOWN)} is no field that {where} has, so the rule never fires. Use "
        f"{', '.join(f'`{each}`' for each in known)}."
    )
    yield report(_NEVER, message, span, *fixes)


def inputs_with(read: HookifyFile) -> frozenset[str]:
    """All fields of the event of a rule."""
    return frozenset(field for each in _inputs(read) for field in each.texts)


def _no_pattern(condition: HookifyCondition) -> Iterator[Finding]:
    if condition.operator == "equals" and condition.pattern_text is not None:
        return  # This asks for an absent text, such as the `old_text` of a new file.
    what = "The condition has no `pattern`" if condition.pattern_text is None else "The pattern is empty"
    effect = "it matches every text"
    code_of = "matches-everything"
    if condition.operator == "not_contains":
        effect, code_of = "it never holds, and the rule never fires", _NEVER
    elif condition.operator == "equals":
        effect = "it only matches an empty text"
    message = f"{what}, so {effect}. Say what to look for."
    yield report(code_of, message, condition.span, severity=Severity.ERROR)


def _can_hold(condition: HookifyCondition, each: HookInput) -> bool:
    """Whether a condition can hold on an input; the pattern itself is the business of `patterns`."""
    value = each.value_of(condition.field)
    if condition.operator not in HOOKIFY_OPERATORS or value is FieldValue.MISSING:
        return False
    if value is FieldValue.TEXT:
        return True
    pattern = condition.pattern
    match condition.operator:
        case "regex_match":
            return find_in_empty(pattern)
        case "not_contains":
            return pattern != ""
        case _:
            return pattern == ""


def _new_files(read: HookifyFile, admitted: tuple[HookInput, ...]) -> Iterator[Finding]:
    """Reports conditions on `new_text` alone: hookify finds nothing in it when a whole file is written."""
    asked = [each for each in read.conditions if each.field in _NEW_FIELDS]
    tools = {each.tool for each in admitted if all(_can_hold(condition, each) for condition in read.conditions)}
    if not asked or "Edit" not in tools or "Write" in tools or not any(each.tool == "Write" for each in admitted):
        return
    if any(each.field in _OLD_FIELDS and not _is_for_new_files(each) for each in read.conditions):
        return  # What was there before is compared, so the rule is for edits.
    condition = asked[0]
    if read.is_simple and means_path(condition.pattern):
        return  # The field is wrong altogether.
    message = (
        f"`{condition.field}` is what an edit inserts, and hookify finds nothing in it when a whole file is written: "
        "the rule misses new files. "
    )
    if condition.field_text is None:
        message += "Write `conditions` with the field `content`, which has both."
        yield report(_PARTIAL, message, condition.span, severity=Severity.INFO)
        return
    span = condition.field_text.span
    fix = guess("Write content", span, "content")
    yield report(_PARTIAL, message + "`content` has both.", span, fix, severity=Severity.INFO)


def _is_for_new_files(condition: HookifyCondition) -> bool:
    return condition.operator == "equals" and condition.pattern == ""


_SYNONYMS = {
    "regex": "regex_match", "matches": "regex_match", "match": "regex_match", "regexp": "regex_match",
    "=~": "regex_match", "pattern": "regex_match", "eq": "equals", "equal": "equals", "==": "equals", "is": "equals",
    "includes": "contains", "in": "contains", "has": "contains", "startswith": "starts_with", "endswith": "ends_with",
    "prefix": "starts_with", "suffix": "ends_with", "does_not_contain": "not_contains", "excludes": "not_contains",
}  # fmt: skip
_FIELD_SYNONYMS = {
    "path": "file_path", "file": "file_path", "filename": "file_path", "filepath": "file_path", "cmd": "command",
    "bash": "command", "text": "new_text", "code": "new_text", "newtext": "new_text", "new_content": "content",
}  # fmt: skip
