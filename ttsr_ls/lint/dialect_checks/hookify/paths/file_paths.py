"""Checks of conditions on `file_path`, which Claude Code sends as an absolute path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.alternatives import alternatives
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition
from ttsr_ls.text import Span

_RELATIVE_START = re.compile(r"\^(?:\./|\\\./|[A-Za-z0-9_@-](?!:|[*?+{|])|\\\.(?![*?+{]))")
_START = re.compile(r"\^(?:\\?\./)?")
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
            if relative:
                yield _relative_paths(relative, len(parts), span)
        case "equals" | "starts_with":
            if not _ABSOLUTE.match(condition.pattern):
                message = (
                    "`file_path` is an absolute path, so it neither equals a relative one nor begins with it. Use "
                    "`ends_with` or `contains`."
                )
                yield report("hookify-never-matches", message, span)
        case _:
            pass


def _relative_paths(relative: list[str], count: int, span: Span) -> Finding:
    """Reports the alternatives that begin with a relative path, of `count` alternatives."""
    starts = dict.fromkeys(match[0] for part in relative if (match := _START.match(part)))
    remedy = f"Write `/` in place of {' and '.join(f'`{start}`' for start in starts)}."
    if len(relative) == count:
        message = f"`file_path` is an absolute path, so it never begins like this. {remedy}"
        return report("hookify-never-matches", message, span)
    verb = "never matches" if len(relative) == 1 else "never match"
    message = f"`file_path` is an absolute path, so {len(relative)} of {count} alternatives {verb}. {remedy}"
    return report("hookify-never-matches", message, span, severity=Severity.WARNING)
