"""Reads rules of hookify."""

from __future__ import annotations

import re

from ttsr_ls.convert.json_form import (
    anchored_at_command_end,
    anchored_at_command_start,
    escaped_for_json,
    match_in_json_command,
)
from ttsr_ls.convert.path_globs import glob_for_ending, glob_for_folder, globs_for_endings, join_globs
from ttsr_ls.convert.patterns import with_flags
from ttsr_ls.convert.portable_rule import ConversionError, PortableRule, TriggerSpec
from ttsr_ls.syntax.hookify.keys import HOOKIFY_OPERATORS
from ttsr_ls.syntax.hookify.python_pattern import (
    END_EQUIVALENTS,
    MAX_COMPILED,
    PythonPatternError,
    compile_problem,
    split_flags,
    to_ecmascript,
)
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition, HookifyFile, read_hookify
from ttsr_ls.syntax.rule_file import ScalarValue

_BASH = ("tool:bash",)
_FILE = ("tool:edit", "tool:write")
_TOKENS_OF_TOOLS = {"Bash": "tool:bash", "Edit": "tool:edit", "MultiEdit": "tool:edit", "Write": "tool:write"}
_SCOPES = {"command": _BASH, "new_text": _FILE, "new_string": _FILE, "content": _FILE}
_EVENTS = {_BASH: ("bash", "all"), _FILE: ("file", "all")}
_STARTS = ("(?:^|/)", "(^|/)", "(?:/|^)", "(/|^)")
_SYNTAX = re.compile(r"[\\^$.*+?()\[\]{}|/]")


def from_hookify(text: str, *, name: str, path: str) -> PortableRule:
    """Reads a rule of hookify. `warn` becomes a reminder in the tool's result, `block` an interruption."""
    file = read_hookify(text, name=name, path=path)
    _refuse_broken(file)
    paths = [condition for condition in file.conditions if condition.field == "file_path"]
    conditions = [condition for condition in file.conditions if condition.field != "file_path"]
    tokens = _filter_by_tool_matcher(file, _scope(file, conditions))
    globs = [_glob(condition) for condition in paths]
    if len(globs) > 1:
        raise ConversionError(
            "It has several conditions on `file_path` that all must hold, which globs cannot express."
        )
    if globs and "tool:bash" in tokens:
        raise ConversionError("It has a condition on the `file_path` of a command, which has none, so it never fires.")
    scope = tuple(f"{token}({globs[0]})" for token in tokens) if globs else tokens
    losses = ["Unlike in Python, `\\w`, `\\b` and the flag `i` do not apply to all letters beyond ASCII."]
    if globs:
        losses.append("omp compares paths case-sensitively.")
    if tokens == _BASH:
        losses.append("omp matches a command as JSON text, together with the other arguments of the call.")
    if file.action == "block":
        losses.append(
            "`block` now also interrupts the answer, and the request is retried; hookify blocks only the call."
        )
    trigger_spec = TriggerSpec(
        conditions=(_condition(conditions),),
        scope=scope,
        interrupt_mode=None if file.action == "block" else "never",
        max_firings=float("inf"),
        lost=tuple(losses),
    )
    return PortableRule(name, None, file.enabled, trigger_spec, file.file.body.value)


def _refuse_broken(file: HookifyFile) -> None:
    """Raises ConversionError for a rule that hookify does not read as it is written, so that its meaning is unclear."""
    if file.block is None or not file.block.frontmatter.entries:
        raise ConversionError("hookify finds no frontmatter in the file, so it does not load it.")
    if file.unreadable_items:
        raise ConversionError("hookify does not load the file: an item of `conditions` is no map.")
    if not file.conditions:
        raise ConversionError("The rule has neither a `pattern` nor `conditions`, so it never fires.")
    loses_lines = any(len(line) > 1 for line in file.block.skipped)
    if loses_lines or not all(condition.pattern for condition in file.conditions):
        raise ConversionError("hookify does not read all of its lines. Check the file and fix it first.")


def _scope(file: HookifyFile, conditions: list[HookifyCondition]) -> tuple[str, ...]:
    fields = {condition.field for condition in conditions}
    scopes = {_SCOPES[field] for field in fields if field in _SCOPES}
    if not fields <= _SCOPES.keys():
        unknown = ", ".join(f"`{field}`" for field in sorted(fields - _SCOPES.keys()))
        raise ConversionError(f"It has conditions on {unknown}, which no stream of the agent has.")
    if len(scopes) > 1:
        raise ConversionError("It has conditions on a command and on a file at once, so it never fires.")
    scope = scopes.pop() if scopes else _FILE
    if file.event not in _EVENTS[scope]:
        label = "command" if scope == _BASH else "file"
        raise ConversionError(f"The event `{file.event}` has no {label}, so it never fires.")
    return scope


def _filter_by_tool_matcher(file: HookifyFile, scope: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the tools of a scope that `tool_matcher` admits."""
    matcher = file.file.value("tool_matcher")
    if matcher is None or (isinstance(matcher, ScalarValue) and matcher.data == "*"):
        return scope
    tools = matcher.text.value.split("|") if isinstance(matcher, ScalarValue) else []
    admitted = {_TOKENS_OF_TOOLS[tool] for tool in tools if tool in _TOKENS_OF_TOOLS}
    left = tuple(token for token in scope if token in admitted)
    if not left:
        raise ConversionError("Its `tool_matcher` admits no call of its event, so it never fires.")
    return left


def _condition(conditions: list[HookifyCondition]) -> str:
    if not conditions:
        return ".*"
    flags = {
        "".join(sorted({"i", *split_flags(condition.pattern)[0]})) if condition.operator == "regex_match" else ""
        for condition in conditions
    }
    if len(flags) > 1:
        raise ConversionError("Only some of its conditions ignore case, but in omp, a flag applies to all of them.")
    letters = flags.pop()
    patterns = [_stream_pattern(condition, letters) for condition in conditions]
    source = patterns[0] if len(patterns) == 1 else "".join(f"(?=[\\s\\S]*(?:{pattern}))" for pattern in patterns)
    return with_flags(letters, source)


def _stream_pattern(condition: HookifyCondition, letters: str) -> str:
    """Returns the pattern for the text that omp matches: the content of a file, or a command in JSON."""
    _refuse_operator(condition)
    if condition.field == "command":
        return _command_pattern(condition, letters)
    text = _SYNTAX.sub(r"\\\g<0>", condition.pattern)
    match condition.operator:
        case "regex_match":
            return _to_ecmascript(condition.pattern)
        case "equals":
            return f"(?<![^]){text}(?![^])"
        case "starts_with":
            return f"(?<![^]){text}"
        case "ends_with":
            return f"{text}(?![^])"
        case _:
            return text


def _command_pattern(condition: HookifyCondition, letters: str) -> str:
    text = _SYNTAX.sub(r"\\\g<0>", escaped_for_json(condition.pattern))
    match condition.operator:
        case "regex_match":
            return match_in_json_command(_to_plain_end(_to_ecmascript(condition.pattern)), letters)
        case "equals":
            return anchored_at_command_start(anchored_at_command_end(text))
        case "starts_with":
            return anchored_at_command_start(text)
        case "ends_with":
            return anchored_at_command_end(text)
        case _:
            return text


def _refuse_operator(condition: HookifyCondition) -> None:
    if condition.operator == "not_contains":
        raise ConversionError("It requires the absence of a text (`not_contains`), which a stream cannot show.")
    if condition.operator not in HOOKIFY_OPERATORS:
        raise ConversionError(f"hookify has no operator `{condition.operator}`, so the rule never fires.")


def _to_ecmascript(pattern: str) -> str:
    if len(pattern) > MAX_COMPILED:
        raise ConversionError("The pattern is too long.")
    problem = compile_problem(pattern)
    if problem is not None:
        raise ConversionError(f"Python does not compile `{pattern}`, so the rule never fires: {problem}.")
    try:
        return to_ecmascript(pattern)
    except PythonPatternError as error:
        raise ConversionError(str(error)) from error


def _to_plain_end(source: str) -> str:
    """Returns the pattern with `$` in place of its ECMAScript equivalent, for callers that handle Python's `$`."""
    for end in END_EQUIVALENTS:
        source = source.replace(end, "$")
    return source


def _glob(condition: HookifyCondition) -> str:
    """Returns the glob of a condition on a path. Raises ConversionError if no glob is equivalent."""
    pattern = condition.pattern
    globs: tuple[str | None, ...] | None = None
    _refuse_operator(condition)
    match condition.operator:
        case "regex_match":
            source = _to_plain_end(_to_ecmascript(pattern))
            for start in _STARTS:
                source = source.replace(start, "/")
            globs = globs_for_endings(source) or (glob_for_folder(source),)
        case "ends_with":
            globs = (glob_for_ending(pattern),)
        case "contains":
            globs = (glob_for_folder(pattern),)
        case _:
            pass
    if globs is None or None in globs:
        raise ConversionError(
            f"Its condition on `file_path` (`{pattern}`) requires more than extensions, ends of paths, or one folder."
        )
    return join_globs(tuple(glob for glob in globs if glob is not None))
