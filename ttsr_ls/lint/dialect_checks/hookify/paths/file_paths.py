"""Checks of conditions on `file_path`, which Claude Code sends as an absolute path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.alternatives import alternatives
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition

_RELATIVE_START = re.compile(r"\^(?:\./|\\\./|[A-Za-z0-9_@-](?!:|[*?+{|])|\\\.(?![*?+{]))")
_GLOB_IN_REGEX = re.compile(r"\*\*/|/\*\*|(?<![\])\\.\w])/\*\.\w|\w/\*\.\w+\Z")
_ABSOLUTE = re.compile(r"/|\\|[A-Za-z]:[\\/]")


def check_path(condition: HookifyCondition) -> Iterator[Finding]:
    """Reports a path that is written relative to the project's folder, and a glob in place of a regular expression."""
    if condition.field != "file_path" or condition.pattern_text is None or not condition.pattern:
        return
    span = condition.pattern_text.span
    match condition.operator:
        case "regex_match":
            if _GLOB_IN_REGEX.search(condition.pattern):
                message = (
                    "This is a file glob, but `regex_match` reads it as a regular expression, in which `*` repeats the "
                    "character before it. Write `\\.ts$` for the extension, and `.*` for any text."
                )
                yield report("hookify-pattern-kind", message, span, severity=Severity.WARNING)
                return
            parts = alternatives(condition.pattern)
            relative = [part for part in parts if _RELATIVE_START.match(part)]
            if len(relative) == len(parts):
                yield report("hookify-never-matches", f"{_ABSOLUTE_PATH} Write `/` in place of `^`.", span)
            elif relative:
                message = f"{_ABSOLUTE_PATH} One alternative never matches: write `/` in place of its `^`."
                yield report("hookify-never-matches", message, span, severity=Severity.WARNING)
        case "equals" | "starts_with":
            if not _ABSOLUTE.match(condition.pattern):
                message = f"{_ABSOLUTE_PATH} Use `ends_with` or `contains`."
                yield report("hookify-never-matches", message, span)
        case _:
            pass


_ABSOLUTE_PATH = "`file_path` is an absolute path, so it does not begin like this and the condition never holds."
