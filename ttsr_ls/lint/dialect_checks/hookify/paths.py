"""Checks of conditions on `file_path`, which Claude Code sends as an absolute path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.hookify.alternatives import alternatives
from ttsr_ls.lint.dialect_checks.hookify.reporting import report
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition
from ttsr_ls.text import Span

_RELATIVE_START = re.compile(r"\^(?:\./|\\\./|[A-Za-z0-9_@-](?!:|[*?+{|])|\\\.(?![*?+{]))")
_GLOB_IN_REGEX = re.compile(r"\*\*/|/\*\*|(?<![\])\\.\w])/\*\.\w|\w/\*\.\w+\Z")
_ABSOLUTE = re.compile(r"/|\\|[A-Za-z]:[\\/]")
# The end of a path, which hardly any text has: `\\.env$`, `.*\\.tsx?$`.
_EXTENSION = r"\\\.(?:\w+|\((?:\?:)?[\w|]+\))\??\$"
# A character of a folder's or a file's name. Words of a name have one space between them.
_NAME = r"(?:\.\*|[\w@-]|(?<=\w) (?=\w)|\\?\.)"
_FOLDERS = rf"(?!(?:import|export|from|require|use|include)\b)\^?(?:\\?/)?(?:{_NAME}+\\?/)+"
_PATHS = (
    re.compile(rf"(?:\.\*)?{_EXTENSION}"),
    re.compile(rf"{_FOLDERS}{_NAME}*{_EXTENSION}"),
    # A text would not be asked for what follows at will.
    re.compile(rf"{_FOLDERS}\.\*\$?"),
    # The start of a name: `(^|/)\\.env`. A path has no blanks written as such, quotes or parentheses.
    re.compile(r"\((?:\?:)?(?:\^\|\\?/|\\?/\|\^)\)(?!\\?/)(?:[^\s\"'`=<>{};\\]|\\[.wd/-])+"),
)


# The same without an end, which a text may have as well: `prisma/schema\\.prisma`, `archive/old_bots/`.
_ANY_EXTENSION = r"\\\.(?:\w{1,10}|\((?:\?:)?[\w|]+\))\??"
_GROUP = r"\((?:\?:)?[\w|.*/\\-]+\)\??"
_SOURCE_EXTENSION = (
    r"\\\.(?:(?:py|tsx?|jsx|mdx?|rs|java|kt|rb|php|cs|swift|ya?ml|toml|prisma|tf|cpp|hpp)"
    r"|\((?:\?:)?(?:py|[jt]sx?|mdx?|rs|java|kt|rb|php|cs|swift|ya?ml|toml|json|c|cpp|h|hpp|\|)+\))\??"
)
_POSSIBLE_PATHS = (
    re.compile(rf"(?!\\?/){_FOLDERS}(?:{_NAME}|{_GROUP})*{_ANY_EXTENSION}"),
    re.compile(rf"(?!\\?/){_FOLDERS}"),
    re.compile(rf"(?:{_NAME}|{_GROUP})*(?:\w|\*|{_GROUP}){_SOURCE_EXTENSION}"),
)
_FILE_NAME = re.compile(rf"(?:[\w-]|{_GROUP})*(?:\w|{_GROUP}){_SOURCE_EXTENSION}")
_ONE_GROUP = re.compile(r"\((?:\?:)?(?P<inner>.*)\)")


def means_path(pattern: str) -> bool:
    """Whether each alternative of a regular expression is written for the path of a file, and not for its text."""
    return all(any(form.fullmatch(part) for form in _PATHS) for part in alternatives(pattern))


def may_mean_path(pattern: str) -> bool:
    """Whether each alternative of a regular expression reads like the path of a file, and may be text as well."""
    return all(any(form.fullmatch(part) for form in (*_PATHS, *_POSSIBLE_PATHS)) for part in _parts(pattern)[1])


def file_names(pattern: str) -> tuple[Span, ...]:
    """Where the alternatives stand that read like names of files, in a pattern whose others do not."""
    at, parts = _parts(pattern)
    found: list[Span] = []
    for part in parts:
        if _FILE_NAME.fullmatch(part):
            found.append(Span(at, at + len(part)))
        at += len(part) + 1
    return tuple(found) if len(found) < len(parts) else ()


def _parts(pattern: str) -> tuple[int, tuple[str, ...]]:
    """Where the alternatives of a pattern begin, and those: of the group around them all, where there is one."""
    parts = alternatives(pattern)
    group = _ONE_GROUP.fullmatch(pattern)
    if len(parts) > 1 or group is None or not _is_closed(group["inner"]):
        return 0, parts
    return group.start("inner"), alternatives(group["inner"])


def _is_closed(pattern: str) -> bool:
    """Whether no parenthesis closes a group that begins before the pattern."""
    depth = 0
    for found in re.finditer(r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|[()]", pattern):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth < 0:
            return False
    return True


def check_path(condition: HookifyCondition) -> Iterator[Finding]:
    """Reports a path that is written as if it began in the project's folder, and a glob in place of an expression."""
    if condition.field != "file_path" or condition.pattern_text is None or not condition.pattern:
        return
    span = condition.pattern_text.span
    match condition.operator:
        case "regex_match":
            if _GLOB_IN_REGEX.search(condition.pattern):
                message = (
                    "This is a file glob, and `regex_match` reads it as a regular expression, in which `*` repeats "
                    "what stands before it. Write `\\.ts$` for the extension, and `.*` for anything between."
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
