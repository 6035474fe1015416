"""Checks events, fields, operators and tools: whether some call exists on which all conditions can hold."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.alternatives import MATCH_ALL
from ttsr_ls.lint.dialect_checks.hookify.missed_calls import (
    check_path_in_text,
    check_simple_pattern,
    check_written_files,
)
from ttsr_ls.lint.dialect_checks.hookify.tools import check_tools, event_inputs, tool_names, tried_inputs
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import guess, report
from ttsr_ls.syntax.hookify.inputs import (
    CONDITION_FIELDS,
    NEVER_SENT,
    TEXT_FIELDS,
    HookInput,
    other_tools_input,
)
from ttsr_ls.syntax.hookify.keys import HOOKIFY_OPERATORS
from ttsr_ls.syntax.hookify.possible_values import can_condition_hold
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition, HookifyFile
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import ScalarValue

_NEVER_CODE = "hookify-never-matches"
_MAX_SHOWN = 40
_TEXT_OPERATORS = frozenset(HOOKIFY_OPERATORS) - {"regex_match"}
_PYTHON_TEXTS = {"true": "True", "false": "False", "null": "None"}
_BOOLEANS = frozenset(("run_in_background", "replace_all", "multiline", "fullPage"))
_FIELD_OF_EVENT = {
    "bash": ("command",),
    "file": ("file_path", "new_text", "content"),
    "stop": ("transcript",),
    "prompt": ("transcript",),
}


def check_conditions(file: HookifyFile) -> Iterator[Finding]:
    """Reports why a rule can never fire, and the calls that it misses."""
    assert file.block is not None
    yield from check_tools(file)
    if not file.conditions:
        if not _has_trigger_value(file):
            message = "The rule has neither a `pattern` nor `conditions`, so it never fires. Write one of them."
            yield report(_NEVER_CODE, message, file.block.frontmatter.entries[0].key_span)
        return
    inputs = tried_inputs(file)
    if file.is_simple:
        if inputs:
            yield from check_simple_pattern(file)
    else:
        yield from _report_conditions(file, inputs)
    yield from check_path_in_text(file)
    yield from check_written_files(file, inputs)


def _has_trigger_value(file: HookifyFile) -> bool:
    """Returns whether `conditions` or `pattern` has a value, which another check reports."""
    conditions, pattern = file.file.value("conditions"), file.file.value("pattern")
    if file.unreadable_items or isinstance(conditions, ScalarValue):
        return True
    return (
        pattern is not None
        and not (isinstance(pattern, ScalarValue) and pattern.data == "")
        and bool(len(pattern.span))
    )


def _report_conditions(file: HookifyFile, inputs: tuple[HookInput, ...]) -> Iterator[Finding]:
    # Rules of every event are evaluated on calls of other tools, unless the rule names its tools.
    hook_input = other_tools_input(is_named=False) if tool_names(file) is None else None
    if file.event == "all" and hook_input is not None:
        inputs = (*inputs, hook_input)
    hook_inputs = set(inputs)
    is_explained = False
    for condition in file.conditions:
        holds = {hook_input for hook_input in inputs if can_condition_hold(condition, hook_input)}
        is_elsewhere = hook_input is not None and can_condition_hold(condition, hook_input)
        is_dead = bool(inputs) and not holds
        findings = tuple(_report_condition(file, condition, is_dead=is_dead, is_elsewhere=is_elsewhere))
        yield from findings
        is_explained = is_explained or bool(findings)
        hook_inputs &= holds
    if inputs and not hook_inputs and not is_explained:
        message = (
            "All conditions must hold, but no call has all of these fields, so the rule never fires. Write one rule "
            "for each kind of call."
        )
        yield report(_NEVER_CODE, message, file.conditions[0].span)


def _report_condition(
    file: HookifyFile, condition: HookifyCondition, *, is_dead: bool, is_elsewhere: bool
) -> Iterator[Finding]:
    operator = condition.operator
    if operator not in HOOKIFY_OPERATORS:
        assert condition.operator_text is not None
        span = condition.operator_text.span
        listing = ", ".join(f"`{operator}`" for operator in HOOKIFY_OPERATORS)
        suggestion = nearest_word(operator, HOOKIFY_OPERATORS) or _SYNONYMS.get(operator.lower())
        fixes = () if suggestion is None else (guess(f"Write {suggestion}", span, suggestion),)
        message = f"hookify has no operator {code(operator, _MAX_SHOWN)}, so the rule never fires. It has {listing}."
        yield report(_NEVER_CODE, message, span, *fixes)
    if operator in HOOKIFY_OPERATORS and (is_dead or condition.field in NEVER_SENT):
        yield from _report_field(file, condition, is_dead=is_dead, is_elsewhere=is_elsewhere)
    elif operator in _TEXT_OPERATORS and condition.pattern in _PYTHON_TEXTS and condition.field not in TEXT_FIELDS:
        yield _python_value(condition)
    if condition.pattern_text is None or not condition.pattern:
        yield from _no_pattern(condition)


def _python_value(condition: HookifyCondition) -> Finding:
    """Reports a JSON literal. hookify compares values that are no text in the form of Python's `str`."""
    assert condition.pattern_text is not None
    suggestion = _PYTHON_TEXTS[condition.pattern]
    is_certain = condition.field in _BOOLEANS
    effect = "this always holds" if condition.operator == "not_contains" else "this never matches"
    message = (
        f"hookify compares values that are no text in Python's notation, so {effect}. Write "
        f"{code(suggestion, _MAX_SHOWN)}."
    )
    fix = guess(f"Write {suggestion}", condition.pattern_text.span, suggestion)
    return report(
        _NEVER_CODE, message, condition.pattern_text.span, fix, severity=None if is_certain else Severity.WARNING
    )


def _report_field(
    file: HookifyFile, condition: HookifyCondition, *, is_dead: bool, is_elsewhere: bool
) -> Iterator[Finding]:
    field = condition.field
    if condition.field_text is None:
        message = (
            "The condition has no `field`, so it is matched on no text, and the rule never fires. Write a `field`."
        )
        yield report(_NEVER_CODE, message, condition.span)
        return
    span = condition.field_text.span
    if field in NEVER_SENT:
        if not is_dead and _blocks_everything(file):
            yield _blocking_finding(file, condition)
            return
        if not is_dead and condition.pattern in MATCH_ALL:
            return  # The condition is meant to hold always.
        severity = Severity.WARNING if field == "user_prompt" or not is_dead else None
        effect = "and the rule never fires" if is_dead else "and always holds"
        message = (
            f"Claude Code sends no `{field}`, so the condition is matched on an empty text, {effect}. Write the field "
            "`transcript`, which hookify can read there."
        )
        yield report(_NEVER_CODE, message, span, severity=severity)
        return
    known_fields = _FIELD_OF_EVENT.get(file.event or "", CONDITION_FIELDS)
    suggestion = nearest_word(field, CONDITION_FIELDS) or _FIELD_SYNONYMS.get(field.lower())
    suggestion = suggestion if suggestion in _fields_of_event(file) else None
    fixes = () if suggestion is None else (guess(f"Write {suggestion}", span, suggestion),)
    place = f"the event `{file.event}`" if file.event != "all" else "any event"
    effect = "so the rule fires on none of its calls" if is_elsewhere else "so the rule never fires"
    fields = ", ".join(f"`{item}`" for item in known_fields)
    message = f"{code(field, _MAX_SHOWN)} is no field of {place}, {effect}. Use {fields}."
    yield report(_NEVER_CODE, message, span, *fixes)


def _blocks_everything(file: HookifyFile) -> bool:
    """Returns whether a rule blocks every call and stop, because its conditions hold on always empty fields."""
    is_tried_on_stops = file.event in ("stop", "all") and tool_names(file) is None
    return (
        is_tried_on_stops
        and file.action == "block"
        and all(condition.field in NEVER_SENT for condition in file.conditions)
    )


def _blocking_finding(file: HookifyFile, condition: HookifyCondition) -> Finding:
    effect = "keeps the agent from ever stopping" if file.event == "stop" else "stops every call, and every stop"
    message = (
        f"`{condition.field}` is always empty, so this condition always holds, and `block` then {effect}. Write "
        "`action: warn`, or a condition on `transcript` that does not hold once the work is done."
    )
    return report("matches-everything", message, condition.span, severity=Severity.WARNING)


def _fields_of_event(file: HookifyFile) -> frozenset[str]:
    """Returns all fields in the inputs of a rule's event."""
    return frozenset(field for hook_input in event_inputs(file) for field in hook_input.texts)


def _no_pattern(condition: HookifyCondition) -> Iterator[Finding]:
    if condition.operator not in HOOKIFY_OPERATORS:
        return  # The condition never holds, with any pattern.
    if condition.operator == "equals" and condition.pattern_text is not None:
        return  # This requires an absent text, such as the `old_text` of a new file.
    label = "The condition has no `pattern`" if condition.pattern_text is None else "The pattern is empty"
    effect = "it matches every text"
    code_of = "matches-everything"
    if condition.operator == "not_contains":
        effect, code_of = "it never holds, and the rule never fires", _NEVER_CODE
    elif condition.operator == "equals":
        effect = "it only matches an empty text"
    message = f"{label}, so {effect}. Write the text to look for."
    yield report(code_of, message, condition.span, severity=Severity.ERROR)


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
