"""Parses the comma lists of `scope` and `agents`, and the tokens of `scope` (spec S1, S2)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import ScopeToken
from ttsr_ls.syntax.whitespace import trim_text
from ttsr_ls.text import Span

PROSE_STREAMS = ("text", "thinking")
"""The tokens of the streams that have neither a tool nor paths."""

STREAMS = (*PROSE_STREAMS, "tool")
"""The words for streams; any other word is the name of a tool."""

STREAM_TOKENS = (*STREAMS, "toolcall")
"""All spellings of the tokens of streams."""

_DELIMITING = re.compile(r"[,()\[\]{}\"']")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_TOOL_TOKEN = re.compile(r"(?:(tool)(?::([a-z0-9_-]+))?|([a-z0-9_-]+))(?:\(([^)]+)\))?", re.IGNORECASE | re.ASCII)


def split_list(text: MappedText) -> tuple[MappedText, ...]:
    """Splits at commas outside of brackets and quotes. Trims each part and leaves out empty ones (spec S1)."""
    value = text.value
    parts: list[MappedText] = []
    depths = {"(": 0, "[": 0, "{": 0}
    quote: str | None = None
    start = 0
    for match in _DELIMITING.finditer(value):
        char, offset = match[0], match.start()
        if quote is not None:
            if char == quote and value[offset - 1] != "\\":
                quote = None
        elif char in "\"'":
            quote = char
        elif char in depths:
            depths[char] += 1
        elif char in _CLOSING:
            depths[_CLOSING[char]] = max(0, depths[_CLOSING[char]] - 1)
        elif not any(depths.values()):
            parts.append(trim_text(text.slice(start, offset)))
            start = offset + 1
    parts.append(trim_text(text.slice(start, len(value))))
    return tuple(part for part in parts if part.value)


def without_quotes(text: MappedText) -> MappedText:
    """Returns a token without the matching quotes around it."""
    value = text.value
    if len(value) >= 2 and value[0] in "\"'" and value[-1] == value[0]:
        return trim_text(text.slice(1, len(value) - 1))
    return text


def list_tokens(texts: Iterable[MappedText]) -> tuple[MappedText, ...]:
    """Returns the distinct tokens of a comma list field."""
    return distinct_texts(token for text in texts for part in split_list(text) if (token := without_quotes(part)).value)


def distinct_texts(texts: Iterable[MappedText]) -> tuple[MappedText, ...]:
    """Returns the first text of each value, in order (spec C2)."""
    first: dict[str, MappedText] = {}
    for text in texts:
        first.setdefault(text.value, text)
    return tuple(first.values())


def scope_token(text: MappedText) -> ScopeToken:
    """Parses one token of `scope` (spec S2)."""
    word = text.value.lower()
    if word in PROSE_STREAMS:
        return ScopeToken(text, word, None, None, False)
    if word in ("tool", "toolcall"):
        return ScopeToken(text, "tool", None, None, False)
    match = _TOOL_TOKEN.fullmatch(text.value)
    if match is None:
        return ScopeToken(text, None, None, None, False)
    name = match[2] or match[3]
    glob = trim_text(text.slice(*match.span(4))) if match[4] is not None else None
    return ScopeToken(text, "tool", name.lower() if name else None, glob if glob and glob.value else None, False)


def inferred_token(tool: str, glob: MappedText) -> ScopeToken:
    """Returns the token of a glob shorthand in `condition` (spec C1)."""
    before = Span(glob.span.start, glob.span.start)
    after = Span(glob.span.end, glob.span.end)
    parts = [(f"tool:{tool}(", before), *glob.runs(0, len(glob.value)), (")", after)]
    return ScopeToken(MappedText.joined(parts, glob.span), "tool", tool, glob, True)
