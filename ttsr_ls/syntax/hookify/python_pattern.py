"""Patterns of Python's `re`: whether they compile, and their translation to ECMAScript.

hookify compiles patterns with Python's `re`; the analyses and matchers of this package read ECMAScript.
"""

from __future__ import annotations

import re
import warnings

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.syntax.hookify.python_characters import NON_BMP_CHARACTER, class_in_units, in_units
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.text import Span

MAX_COMPILED = 4_000
"""Longer patterns are not compiled: large classes cost Python 0.2 ms per character of the pattern."""

# Python reads these otherwise than ECMAScript. Python's `$` also matches before a line feed at the end of the text, and
# from Python 3.14 on `\z` is another name of `\Z`.
_EQUIVALENTS = {r"\A": "^", r"\Z": "$", r"\z": "$", r"\a": r"\x07", "$": r"(?=\n?(?![^]))", "(?P<": "(?<"}
_EQUIVALENTS_OF_LINES = {
    r"\A": "(?<![^])",
    r"\Z": "(?![^])",
    r"\z": "(?![^])",
    r"\a": r"\x07",
    "$": r"(?=\n|(?![^]))",
    "(?P<": "(?<",
}
END_EQUIVALENTS = (_EQUIVALENTS["$"], _EQUIVALENTS_OF_LINES["$"])
"""What `$` becomes in ECMAScript, without and with the flag `m`."""
_TOKEN = re.compile(
    r"(?P<only>\(\?(?:#|P>|[aimsLux]*[aLux][aimsLux]*[):-]|\()|[*+?]\+|\{\d*(?:,\d*)?\}\+)"
    rf"|(?P<wide>{NON_BMP_CHARACTER.pattern})"
    r"|\(\?P<|\(\?P=(?P<name>\w+)\)|\{,(?P<most>\d*)\}|\[(?P<not>\^?)(?P<bracket>\]?)(?P<members>(?:[^\]\\]|\\.)*)\]|\$|\.|\\[\s\S]",
    re.DOTALL,
)
_LEADING_FLAGS = re.compile(r"\(\?([aimsu]+)\)")


class PythonPatternError(Exception):
    """A pattern has no equivalent in ECMAScript. The message says why, in a full sentence."""


def compile_problem(pattern: str) -> str | None:
    """Returns why Python does not compile a pattern; None if it does. Raises `ValueError` for a pattern that is too
    long.
    """
    if len(pattern) > MAX_COMPILED:
        raise ValueError(f"the pattern is longer than {MAX_COMPILED} characters")
    error = _compile_error(pattern)
    return None if error is None else str(error)


def is_compile_error_caught(pattern: str) -> bool:
    """Returns whether hookify catches the error that compiling a pattern raises: it catches `re.error` and nothing
    else."""
    error = _compile_error(pattern)
    return error is None or isinstance(error, re.error)


def matches_empty_text(pattern: str) -> bool:
    """Returns whether a pattern matches the empty text. False for a pattern that does not compile or is too long."""
    return len(pattern) <= MAX_COMPILED and _compile_error(pattern) is None and re.search(pattern, "") is not None


def _compile_error(pattern: str) -> Exception | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            # Validity does not depend on the flag IGNORECASE, which makes large classes expensive.
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError, ValueError) as error:  # `(?a)(?u)` raises `ValueError`.
            return error
    return None


def to_ecmascript(pattern: str) -> str:
    """Translates a pattern to ECMAScript, without the flag group at its start (`split_flags`).

    Raises `PythonPatternError` for syntax that ECMAScript does not have.
    """
    return mapped_to_ecmascript(MappedText.verbatim(pattern, Span(0, len(pattern)))).value


def mapped_to_ecmascript(pattern: MappedText) -> MappedText:
    """The same as `to_ecmascript`; each part of the result maps to its source."""
    letters, _ = split_flags(pattern.value)
    equivalents = dict(_EQUIVALENTS_OF_LINES if "m" in letters else _EQUIVALENTS)
    if "s" not in letters:
        equivalents["."] = r"[^\n]"  # ECMAScript's dot does not match a carriage return.
    return _mapped(pattern, equivalents)


def mapped_with_line_ends(pattern: MappedText) -> MappedText:
    """The same as `mapped_to_ecmascript`, but each `$` holds at every line end, so that a pattern that matches no text
    still matches none.

    Analyses understand this assertion, but not the lookahead that is equal to Python's `$`. A dot stays a dot, so that
    it matches no line end.
    """
    letters, _ = split_flags(pattern.value)
    return _mapped(pattern, {**_EQUIVALENTS, "$": "(?m:$)", **({".": "[^]"} if "s" in letters else {})})


def _mapped(pattern: MappedText, equivalents: dict[str, str]) -> MappedText:
    _, length = split_flags(pattern.value)
    parts: list[tuple[str, Span]] = []
    copied_until = length
    for match in _TOKEN.finditer(pattern.value, length):
        if match["only"]:
            raise PythonPatternError(f"`{pattern.value}` has syntax that only Python knows.")
        try:
            source_text = _token(match, equivalents)
        except ValueError as error:
            raise PythonPatternError(str(error)) from error
        if source_text != match[0]:
            parts.extend(pattern.runs(copied_until, match.start()))
            parts.append((source_text, pattern.source_span(match.start(), match.end())))
            copied_until = match.end()
    parts.extend(pattern.runs(copied_until, len(pattern.value)))
    source = MappedText.joined(parts, pattern.span)
    try:
        parse(source.value)
    except RegexSyntaxError as error:
        message = f"`{pattern.value}` is not valid in ECMAScript: {error.message}"
        raise PythonPatternError(message) from error
    return source


def split_flags(pattern: str) -> tuple[str, int]:
    """Returns the flags among `ims` in the group at the start of a pattern, and the length of that group."""
    match = _LEADING_FLAGS.match(pattern)
    if match is None:
        return "", 0
    return "".join(sorted(set(match[1]) & set("ims"))), match.end()


def _token(match: re.Match[str], equivalents: dict[str, str]) -> str:
    if match["name"]:
        return f"\\k<{match['name']}>"
    if match["most"] is not None:
        return f"{{0,{match['most']}}}"
    if match["wide"]:
        return in_units(match["wide"])
    if match["members"] is not None:
        # In Python, a bracket that comes first does not close the class.
        bracket = "\\]" if match["bracket"] else ""
        if NON_BMP_CHARACTER.search(match["members"]):
            return class_in_units(bracket + match["members"], is_negated=bool(match["not"]))
        return f"[{match['not']}{bracket}{match['members']}]"
    return equivalents.get(match[0], match[0])
