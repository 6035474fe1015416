"""Recognises program code where a pattern is expected: `/foo/i`, `r'foo'`, `re.compile(r'foo')`."""

from __future__ import annotations

import re

from msgspec import Struct

_SLASHED = re.compile(r"/((?:[^/\\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)/([gimsuy]{0,6})")
# Paths are written between slashes, too. Only a pattern has an anchor or a boundary at a slash, or an escaped slash.
_NO_PATH = re.compile(r"\^|\\b|[\s\S]*(?:\\/|\\b\Z|(?<!\\)\$\Z)")
_RAW = re.compile(r"""r(['"])((?:(?!\1)[\s\S])+)\1""")
_COMPILED = re.compile(r"""re\.compile\(\s*r?(['"])((?:(?!\1)[\s\S])+)\1\s*(?:,\s*((?:re\.[A-Z]+[\s|]*)+))?\)""")
# Comment tags, and text of code or between words: not names of folders.
_MARKS = frozenset(("todo", "fixme", "hack", "xxx", "wip", "tbd"))
_NO_FOLDER = re.compile(r"\\[sSbB()]|[=:;\"' ]|\.[*+]")
_OF_GROUP = re.compile(r"\\.|\([^()]*\)|\[(?:\\.|[^\]\\])*\]")
# A pattern that finds such a string has no anchor and no boundary at its quotes.
_NO_STRING = re.compile(r"\^|\\b|[\s\S]*(?:\\b\Z|(?<!\\)\$\Z)")
_SLASHES = "a regular expression between slashes"
_MEANS_SLASHES = "a text that has these slashes in it"
_PYTHON_FLAGS = {"I": "i", "IGNORECASE": "i", "M": "m", "MULTILINE": "m", "S": "s", "DOTALL": "s"}


class CopiedCode(Struct, frozen=True):
    """Code in place of a pattern: the intended construct, its actual meaning as a pattern, and the `pattern` in it,
    with its flags in front.
    """

    meant: str
    means: str
    pattern: str


def copied_code(source: str) -> CopiedCode | None:
    """Returns the code that makes up a whole pattern, in units; None if the text may be a pattern."""
    slashed = _SLASHED.fullmatch(source)
    if slashed is not None and (slashed[2] or _NO_PATH.match(slashed[1]) or _is_no_folder(slashed[1])):
        flags = "".join(flag for flag in "ims" if flag in slashed[2])
        suggestion = f"{_SLASHES} with its flags" if slashed[2] else _SLASHES
        return CopiedCode(suggestion, _MEANS_SLASHES, _flagged(flags, slashed[1]))
    raw = _RAW.fullmatch(source)
    if raw is not None and _NO_STRING.match(raw[2]):
        return CopiedCode("a pattern in a string", "a text that has the r and the quotes in it", raw[2])
    call = _COMPILED.fullmatch(source)
    if call is not None:
        names = {_PYTHON_FLAGS.get(name, "") for name in re.findall(r"re\.([A-Z]+)", call[3] or "")}
        flags = "".join(flag for flag in "ims" if flag in names)
        return CopiedCode("a call with a pattern", "the call without its parentheses", _flagged(flags, call[2]))
    return None


def word_between_slashes(source: str) -> CopiedCode | None:
    """Returns the code to report for a word between slashes, such as `/todo/`; None if the word is a folder's name.

    The caller decides with the rest of the rule whether it is a path or a regular expression.
    """
    slashed = _SLASHED.fullmatch(source)
    if slashed is None or slashed[2] or not slashed[1].isidentifier():
        return None
    return CopiedCode(_SLASHES, _MEANS_SLASHES, slashed[1])


def _is_no_folder(inner: str) -> bool:
    """Returns whether the text between two slashes is hardly the name of a folder."""
    return inner.lower() in _MARKS or _NO_FOLDER.search(inner) is not None or "|" in _OF_GROUP.sub("", inner)


def _flagged(flags: str, pattern: str) -> str:
    return f"(?{flags}){pattern}" if flags else pattern
