"""Rewrites a pattern for a command to one for the JSON text in which omp sees the command (spec T1, M7).

`git push` arrives as `{"command":"git push"}`: a quote precedes the command and follows it, and quotes, backslashes,
and line ends in it are escapes of two characters.
"""

from __future__ import annotations

import json

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.parse.flags import Flags
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.nodes import Assertion, AssertionKind, CharForm, Chars, Node, Sequence, walk
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.text import Span

_START = '(?<="command"\\s*:\\s*")'
_LINE_START = '(?<="command"\\s*:\\s*"|\\\\n)'
_END = '(?=(?:\\\\n)?")'
_LINE_END = '(?="|\\\\n)'
_WITHIN = '"command"\\s*:\\s*"(?:[^"\\\\]|\\\\.)*?'
_FRAME = '{"command":"","cwd":"","timeout":1,"env":{},"pty":true,"async":false}'
_STEPS = 10_000
_AFTER_ESCAPE = "(?<=\\\\[bfnrt])"
_LETTERS = {'"': '"', "\\": "\\\\", "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f"}
_QUOTE_OR_BACKSLASH = UnitSet.of(((0x22, 0x22), (0x5C, 0x5C)))
_CONTROLS = UnitSet.of(((0x00, 0x1F),))
_BOUNDARIES = (AssertionKind.WORD_BOUNDARY, AssertionKind.NOT_WORD_BOUNDARY)
_WORD = UnitSet.of(((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)))


def match_in_json_command(source: str, letters: str) -> str:
    """Returns the pattern that matches JSON text where `source`, with the flags `letters`, matches the command itself.

    Raises `RegexSyntaxError` for an invalid pattern.
    """
    text = _translate(source, letters)
    if text.startswith("\\\\") or (_finds(text, letters, _FRAME) and not _finds(source, letters, "")):
        # The pattern could match JSON around the command, or the second half of an escape.
        return f"{_WITHIN}(?:{text})"
    return text


def _finds(source: str, letters: str, text: str) -> bool:
    flags = Flags(ignore_case=True, multiline="m" in letters, dot_all="s" in letters)
    try:
        return BacktrackMatcher(parse(source, flags), _STEPS).test(text)
    except MatchLimitExceeded:
        return True


def _translate(source: str, letters: str) -> str:
    # Parsed without the flag `i`, so that the sets of units are those that are written; the flag stays in the result.
    pattern = parse(source, Flags(multiline="m" in letters, dot_all="s" in letters))
    edits = sorted(_edits(pattern.root, pattern.source), reverse=True)
    text = pattern.source
    for span, replacement in edits:
        text = text[: span.start] + replacement + text[span.end :]
    return text


def escaped_for_json(text: str) -> str:
    """Returns a text as it is written in a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def anchored_at_command_start(pattern: str) -> str:
    """Returns the pattern, for JSON text, anchored at the start of the command."""
    return f"{_START}{pattern}"


def anchored_at_command_end(pattern: str) -> str:
    """Returns the pattern, for JSON text, anchored at the very end of the command."""
    return f'{pattern}(?=")'


def _edits(root: Node, source: str) -> list[tuple[Span, str]]:
    edits: list[tuple[Span, str]] = []
    after_word = _boundaries_after_words(root)
    for node in walk(root):
        match node:
            case Assertion():
                replacement = _assertion(node.kind)
                if replacement is not None and not (node.kind in _BOUNDARIES and node.span.start in after_word):
                    edits.append((node.span, replacement))
            case Chars():
                replacement = _chars(node, source[node.span.start : node.span.end])
                if replacement is not None:
                    edits.append((node.span, replacement))
            case _:
                pass
    return edits


def _boundaries_after_words(root: Node) -> frozenset[int]:
    r"""Returns the offsets of each `\b` after a word character, where no JSON escape can be."""
    boundaries = set()
    for node in walk(root):
        if isinstance(node, Sequence):
            for before, item in zip(node.items, node.items[1:], strict=False):
                if isinstance(before, Chars) and not before.units - _WORD and isinstance(item, Assertion):
                    boundaries.add(item.span.start)
    return frozenset(boundaries)


def _assertion(kind: AssertionKind) -> str | None:
    match kind:
        case AssertionKind.INPUT_START:
            return _START
        case AssertionKind.INPUT_END:
            return _END
        case AssertionKind.LINE_START:
            return _LINE_START
        case AssertionKind.LINE_END:
            return _LINE_END
        case AssertionKind.WORD_BOUNDARY:
            return f"(?:\\b|{_AFTER_ESCAPE})"
        case AssertionKind.NOT_WORD_BOUNDARY:
            return f"(?:\\B|{_AFTER_ESCAPE})"


def _chars(node: Chars, source: str) -> str | None:
    """Returns the node's source for JSON text; None if it is unchanged."""
    escapes = "".join(letter for char, letter in _LETTERS.items() if ord(char) in node.units)
    if not escapes:
        return None
    if node.units.single_unit is not None:
        return f"\\\\{escapes}"
    if not _CONTROLS - node.units:
        escape = "\\\\."
    elif not _CONTROLS - UnitSet.of(((0x0A, 0x0A),)) - node.units and '"' in escapes and "\\" in escapes:
        escape = "\\\\[^n]"
    else:
        escape = f"\\\\[{escapes}]" if len(escapes.replace("\\\\", "\\")) > 1 else f"\\\\{escapes}"
    if node.form is CharForm.DOT or source == "[^\\n]":
        return f'(?:[^"\\\\]|{escape})'
    if not node.units - _QUOTE_OR_BACKSLASH - _CONTROLS:
        return escape if escape.startswith("\\\\[") else f"(?:{escape})"
    plain_text = source if not _QUOTE_OR_BACKSLASH & node.units else f'(?!["\\\\]){source}'
    return f"(?:{plain_text}|{escape})"
