"""Reads rules of hookify."""

from __future__ import annotations

import re

from ttsr_ls.syntax.convert.portable import CannotConvertError, Firing, PortableRule
from ttsr_ls.syntax.hookify_file import HookifyCondition, HookifyFile, read_hookify
from ttsr_ls.syntax.python_pattern import PythonPatternError, to_ecmascript

_BASH = ("tool:bash",)
_FILE = ("tool:edit", "tool:write")
_SCOPES = {"command": _BASH, "new_text": _FILE, "new_string": _FILE, "content": _FILE}
_SYNTAX = re.compile(r"[\\^$.*+?()\[\]{}|/]")
_EXTENSION = re.compile(r"\\\.(\w+)\$|\.(\w+)")


def from_hookify(text: str, *, name: str, path: str) -> PortableRule:
    """A rule of hookify. `warn` becomes a reminder with the tool's result, `block` an interruption."""
    read = read_hookify(text, name=name, path=path)
    if not read.conditions:
        raise CannotConvertError("The rule has neither a `pattern` nor `conditions`, so it never fires.")
    paths = [each for each in read.conditions if each.field == "file_path"]
    others = [each for each in read.conditions if each.field != "file_path"]
    tokens = _scope(read, others)
    globs = [_glob(each) for each in paths]
    if len(globs) > 1:
        raise CannotConvertError("It has several conditions on `file_path`, which all must hold; globs cannot.")
    if globs and tokens == _BASH:
        raise CannotConvertError("It asks for a `file_path` of a command, which has none, so it never fires.")
    scope = tuple(f"{token}({globs[0]})" for token in tokens) if globs else tokens
    lost = ["The pattern was Python's: for letters beyond ASCII, `\\w`, `\\b` and case mean something else now."]
    if tokens == _BASH:
        lost.append('omp sees a command as it stands in JSON: quotes as `\\"`, line ends as `\\n`, not at the start.')
    if read.action == "block":
        lost.append("`block` stops the call and the answer; the agent then tries again, which hookify leaves to it.")
    if read.file.value("tool_matcher") is not None:
        lost.append("`tool_matcher` is left out: the scope says which tools are watched.")
    firing = Firing(
        conditions=(_condition(others),),
        scope=scope,
        interrupt_mode="never" if read.action == "warn" else None,
        max_firings=float("inf"),
        lost=tuple(lost),
    )
    return PortableRule(name, None, read.enabled, firing, read.file.body.value)


def _scope(read: HookifyFile, others: list[HookifyCondition]) -> tuple[str, ...]:
    fields = {each.field for each in others}
    scopes = {_SCOPES[field] for field in fields if field in _SCOPES}
    if not fields <= _SCOPES.keys():
        unknown = ", ".join(f"`{field}`" for field in sorted(fields - _SCOPES.keys()))
        raise CannotConvertError(f"It looks at {unknown}, which no stream of the agent shows.")
    if len(scopes) > 1:
        raise CannotConvertError("It asks for a command and for a file at once, so it never fires.")
    if scopes:
        return scopes.pop()
    if read.event not in ("file", "all"):
        raise CannotConvertError(f"The event `{read.event}` has no file, so it never fires.")
    return _FILE


def _condition(conditions: list[HookifyCondition]) -> str:
    patterns = [_pattern(each) for each in conditions]
    if not patterns:
        return ".*"
    source = patterns[0] if len(patterns) == 1 else "".join(f"(?=[\\s\\S]*(?:{pattern}))" for pattern in patterns)
    if any(each.operator == "regex_match" for each in conditions):
        if any(each.operator != "regex_match" for each in conditions):
            raise CannotConvertError("Only some of its conditions heed case; a condition of omp does so as a whole.")
        source = f"(?i){source}"
    return source


def _pattern(condition: HookifyCondition) -> str:
    if condition.field == "command" and condition.operator in ("equals", "starts_with", "ends_with"):
        raise CannotConvertError(f"`{condition.operator}` asks for the ends of a command, which omp sees within JSON.")
    text = _SYNTAX.sub(r"\\\g<0>", condition.pattern)
    match condition.operator:
        case "regex_match":
            return _ecmascript(condition.pattern)
        case "contains":
            return text
        case "equals":
            return f"(?<![^]){text}(?![^])"
        case "starts_with":
            return f"(?<![^]){text}"
        case "ends_with":
            return f"{text}(?![^])"
        case "not_contains":
            raise CannotConvertError("It asks for what is not in a text (`not_contains`), which a stream cannot tell.")
        case other:
            raise CannotConvertError(f"hookify has no operator `{other}`, so the rule never fires.")


def _ecmascript(pattern: str) -> str:
    try:
        return to_ecmascript(pattern)
    except PythonPatternError as error:
        raise CannotConvertError(str(error)) from error


def _glob(condition: HookifyCondition) -> str:
    """The glob of a condition on a path, for the ways of writing an extension."""
    extension = None
    match condition.operator:
        case "regex_match":
            found = _EXTENSION.fullmatch(condition.pattern)
            extension = found[1] if found else None
        case "ends_with":
            found = _EXTENSION.fullmatch(condition.pattern)
            extension = found[2] if found else None
        case _:
            pass
    if extension is None:
        raise CannotConvertError(f"Its condition on `file_path` (`{condition.pattern}`) is more than an extension.")
    return f"*.{extension}"
