"""Recognises patterns that are meant for the path of a file, and not for its text.

Each alternative is reduced to sketches of what it matches: characters of names, `.`, and `/` stand for themselves, `?`
for any character, `*` for any number of characters, `^` and `$` for the ends, `<` for the start of a name as in
`(^|/)`. A part that paths rarely have, such as a quote, is `!`.
"""

from __future__ import annotations

import re
from enum import IntEnum

from ttsr_ls.lint.dialect_checks.hookify.alternatives import alternatives
from ttsr_ls.lint.dialect_checks.hookify.paths.sketches import sketches_of
from ttsr_ls.syntax.hookify.python_pattern import split_flags
from ttsr_ls.syntax.hookify.rule_file import HookifyCondition, HookifyFile
from ttsr_ls.text import Span


class PathLikeness(IntEnum):
    """The form of an alternative, in ascending order of likeness to a path."""

    TEXT = 0
    WORD = 1
    """A plain word, which texts and paths have alike."""
    AFFIX = 2
    """The start or the end of a name: `_old\\.`, `\\.backup`."""
    POSSIBLE_PATH = 3
    PATH = 4


_MAX_ALTERNATIVES = 100
_NAME = r"[\w@~.?*+#-]"
_FOLDERS = (
    r"(?!\^?(?:import|export|from|require|use|include)\b)(?!@[\w-]*/|~/|\.\./)"
    r"(?!(?:text|application|image|audio|video|font)/)"
    rf"[\^<]?/?(?:(?:{_NAME}|(?<=\w) (?=\w))+/)+"
)
# Receivers of properties that look like file names: `res.json`, `process.env`, and `mutex.lock` are code.
_SOURCES = (
    r"(?:pyi?|tsx?|jsx?|[mc][jt]s|mdx?|rs|go|java|kts?|rb|php|cs|cpp|hpp|swift|dart|vue|svelte|scala|ya?ml|toml|prisma"
    r"|tf|tfvars|tfstate|sql|sh|ipynb|graphql|proto|jsonl|plist|xcconfig|pbxproj|gradle)"
)
_DATA = r"(?:json|xml|csv|txt|ini|cfg|conf|pem|lock|db|svg|png|bak|sqlite3?)"
_RECEIVERS = r"(?!\^?(?:res|resp|response|req|request|r|c|ctx|reply|this|self|JSON|np|mutex)\.)"
_PATHS = (
    # An extension at the end, which texts rarely have.
    re.compile(r"[\^<]?[*?]*\.\w+\$"),
    re.compile(rf"{_FOLDERS}{_NAME}*\.\w+\$"),
    re.compile(rf"[\^<]?{_NAME}*\.{_SOURCES}\$"),
    re.compile(rf"{_RECEIVERS}[\^<]?{_NAME}+\.{_DATA}\$"),
    # A folder with anything after it: a pattern for text would not end with `*`.
    re.compile(rf"{_FOLDERS}\*\$?"),
    re.compile(rf"<(?!/)(?:{_NAME}|/)+\$?"),
)
_POSSIBLE_PATHS = (
    # Not the route of a server: `/api/v1/`.
    re.compile(rf"(?!\^?/[\w-]){_FOLDERS}{_NAME}*\$?"),
    re.compile(rf"(?=\^?/(?:home|Users|etc|opt|var|usr|tmp|root|mnt|srv|Volumes)/){_FOLDERS}{_NAME}*\$?"),
    re.compile(rf"(?=\^?/(?:.*/)?(?:\.\w|__\w+__/)){_FOLDERS}{_NAME}*\$?"),
    re.compile(rf"(?=.*/\*/){_FOLDERS}{_NAME}*\$?"),
    re.compile(rf"\^?{_NAME}+\.\w{{1,10}}\$"),
    re.compile(rf"{_FOLDERS}{_NAME}*\.\w{{1,10}}"),
    re.compile(rf"\^?{_NAME}*[\w*?]\.{_SOURCES}"),
    re.compile(rf"{_RECEIVERS}\^?{_NAME}*[\w*?]\.{_DATA}\$?"),
    re.compile(r"\^?(?:test|spec)?\.(?:env|npmrc|gitignore|dockerignore|eslintrc|prettierrc)[.*?\w]*\$?"),
    re.compile(r"\^?\*?(?:Dockerfile|Makefile|Gemfile|Procfile|Jenkinsfile)[.*?\w]*\$?"),
    re.compile(r"\^?(?:go\.(?:mod|sum|work)|atlas\.sum)\$?"),
    re.compile(r"__(?:tests|mocks|snapshots|fixtures|generated|pycache)__"),
    re.compile(rf"\^?\.(?:test|spec|stories|generated|config|min)\.{_SOURCES}\$?"),
)
_AFFIX = re.compile(rf"\^?[*?]*[._-]{_NAME}+\$?|\^?{_NAME}+[._-]\$?")
_WORD = re.compile(rf"\^?(?:(?!\.){_NAME})+\$?")
_FILE_NAME = re.compile(rf"\^?{_NAME}*[\w*?]\.{_SOURCES}\$?|{_FOLDERS}{_NAME}*\.{_SOURCES}")
_ONE_GROUP = re.compile(r"\((?:\?:)?(?P<inner>.*)\)", re.DOTALL)


def means_path(pattern: str) -> bool:
    """Returns whether each alternative of a regular expression is meant for the path of a file, and not for its
    text."""
    return all(likeness is PathLikeness.PATH for _, likeness in _likenesses(pattern))


def may_mean_path(pattern: str) -> bool:
    """Returns whether a regular expression looks like a path pattern, although each alternative may be text as well."""
    likenesses = [likeness for _, likeness in _likenesses(pattern)]
    if min(likenesses) is PathLikeness.WORD:
        # Words among paths: `\\.pem$|\\.key$|id_rsa`.
        words = likenesses.count(PathLikeness.WORD)
        may_be = 2 * likenesses.count(PathLikeness.POSSIBLE_PATH) >= words and not file_names(pattern)
        return may_be or likenesses.count(PathLikeness.PATH) >= words
    return min(likenesses) > PathLikeness.WORD and max(likenesses) >= PathLikeness.POSSIBLE_PATH


def is_for_path(file: HookifyFile, condition: HookifyCondition) -> bool:
    """Returns whether a condition on a text looks like one on a path. False if the rule has another condition on the
    path."""
    if file.is_simple:
        return means_path(condition.pattern) or may_mean_path(condition.pattern)
    has_path = any(condition.field == "file_path" for condition in file.conditions)
    return not has_path and condition.operator == "regex_match" and means_path(condition.pattern)


def file_names(pattern: str) -> tuple[Span, ...]:
    """Returns the spans of the alternatives that look like names of files, in a pattern whose other
    alternatives do not.
    """
    read = _likenesses(pattern)
    found = tuple(
        span
        for span, likeness in read
        if likeness is PathLikeness.PATH
        or (
            likeness is PathLikeness.POSSIBLE_PATH
            and all(
                _FILE_NAME.fullmatch(sketch)
                for sketch in sketches_of(_with_single_backslashes(pattern[span.start : span.end]))
            )
        )
    )
    return found if len(found) < len(read) else ()


def _likenesses(pattern: str) -> tuple[tuple[Span, PathLikeness], ...]:
    """Returns the alternatives of a pattern, or of the group around the whole pattern, each with its likeness."""
    position = split_flags(pattern)[1]
    parts = alternatives(pattern[position:])
    group = _ONE_GROUP.fullmatch(pattern, position)
    if len(parts) == 1 and group is not None and _is_closed(group["inner"]):
        position = group.start("inner")
        parts = alternatives(group["inner"])
    if len(parts) > _MAX_ALTERNATIVES:
        return ((Span(0, len(pattern)), PathLikeness.TEXT),)
    found: list[tuple[Span, PathLikeness]] = []
    for part in parts:
        found_likenesses = [_likeness(sketch) for sketch in sketches_of(_with_single_backslashes(part))]
        found.append((Span(position, position + len(part)), min(found_likenesses, default=PathLikeness.TEXT)))
        position += len(part) + 1
    return tuple(found)


def _with_single_backslashes(pattern: str) -> str:
    """Returns the pattern with a single backslash in place of each doubled one before a dot or a class letter."""
    return re.sub(r"(?<!\\)\\\\(?=[.dw/$])", r"\\", pattern)


def _likeness(sketch: str) -> PathLikeness:
    if any(form.fullmatch(sketch) for form in _PATHS):
        return PathLikeness.PATH
    if any(form.fullmatch(sketch) for form in _POSSIBLE_PATHS):
        return PathLikeness.POSSIBLE_PATH
    if _AFFIX.fullmatch(sketch):
        return PathLikeness.AFFIX
    return PathLikeness.WORD if _WORD.fullmatch(sketch) else PathLikeness.TEXT


def _is_closed(pattern: str) -> bool:
    """Returns whether no parenthesis closes a group that begins before the pattern."""
    depth = 0
    for match in re.finditer(r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|[()]", pattern):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth < 0:
            return False
    return True
