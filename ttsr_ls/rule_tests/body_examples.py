"""Reads the examples in a rule's body as cases.

    ```ts ttsr:fires path=src/a.ts      a marked block: `ttsr:fires` or `ttsr:silent`
    ## Bad                              a heading: all blocks below it are bad, or good, examples
    **Bad:**                            a line in bold, or with a colon at its end: only the next block is

Only a few words count as headings of examples, so that prose about examples is no test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.rule_tests.case import CaseExpectation, CaseKind, CaseOrigin, RuleTestCase, StreamSpec
from ttsr_ls.rules.stream import Source
from ttsr_ls.text import Span

FIRES, SILENT = "ttsr:fires", "ttsr:silent"
MAX_EXAMPLES = 100
_MAX_BODY_LENGTH = 100_000
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*([^\r\n]*)")
_HEADING = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(.*)")
_BOLD = re.compile(r"[ ]{0,3}(?:\*\*|__)([^*_\n]{1,40})(?:\*\*|__):?[ \t]*")
_LABEL = re.compile(r"[ ]{0,3}([^\n]{1,40}):[ \t]*")
_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_BAD = frozenset(("bad", "avoid", "wrong", "incorrect", "don't", "don’t"))
_GOOD = frozenset(("good", "use", "right", "correct"))
_NEUTRAL = frozenset(("example", "examples", "code"))


class BodyExample(Struct, frozen=True):
    """An example, and whether its block itself is marked, rather than only its heading."""

    case: RuleTestCase
    is_marked: bool


class _Block(Struct, frozen=True):
    info: str
    text: str
    span: Span
    """Of the opening fence."""
    heading: CaseKind | None


def body_examples(body: str) -> tuple[BodyExample, ...]:
    """Returns the examples of a body, in order, at most `MAX_EXAMPLES`. Spans are in the body."""
    found: list[BodyExample] = []
    numbers = dict.fromkeys(CaseKind, 0)
    for block in _blocks(body[:_MAX_BODY_LENGTH]):
        language, *words = block.info.split() or [""]
        if language.startswith("ttsr:"):
            language, words = "", [language, *words]
        marked = _kind_of_mark(words)
        kind = block.heading if marked is None else marked
        if kind is None or not block.text.strip():
            continue
        numbers[kind] += 1
        case = RuleTestCase(
            kind, CaseOrigin.BODY, numbers[kind], None, (block.text,), _stream(words), CaseExpectation(), block.span,
            language=language.lower(),
        )  # fmt: skip
        found.append(BodyExample(case, marked is not None))
        if len(found) == MAX_EXAMPLES:
            break
    return tuple(found)


def _kind_of_mark(words: list[str]) -> CaseKind | None:
    if FIRES in words:
        return CaseKind.INVALID
    return CaseKind.VALID if SILENT in words else None


def _stream(words: list[str]) -> StreamSpec:
    """Returns the stream that `source=`, `tool=` and `path=` name; ignores the rest of the line."""
    settings = dict(word.split("=", 1) for word in words if "=" in word)
    source = settings.get("source")
    known = source if source in set(Source) else None
    tool, path = settings.get("tool"), settings.get("path")
    is_tool = known is None and (tool is not None or path is not None)
    return StreamSpec(Source.TOOL if is_tool else None if known is None else Source(known), tool, path)


def _blocks(body: str) -> Iterator[_Block]:
    kind: CaseKind | None = None
    label_kind: CaseKind | None = None
    level = 0
    opening: re.Match[str] | None = None
    opened_at = start = 0
    inside: list[str] = []
    for line in body.split("\n"):
        fence = _FENCE.match(line)
        if opening is not None:
            if fence is not None and fence[1].startswith(opening[1]) and not fence[2].strip():
                text = "\n".join(inside) + ("\n" if inside else "")
                span = Span(opened_at, opened_at + len(opening[0].rstrip()))
                yield _Block(opening[2], text, span, kind if label_kind is None else label_kind)
                # A label applies to one block, a heading to all blocks below it.
                opening, label_kind = None, None
            else:
                inside.append(line.removesuffix("\r"))
        elif fence is not None and not (fence[1][0] == "`" and "`" in fence[2]):
            opening, opened_at, inside = fence, start, []
        elif (heading := _HEADING.match(line)) is not None:
            heading_kind = _kind_of_title(heading[2])
            if heading_kind is not None or len(heading[1]) <= level or level == 0:
                kind, level = heading_kind, len(heading[1]) if heading_kind is not None else 0
            label_kind = None
        elif (label := _BOLD.fullmatch(line.rstrip("\r")) or _LABEL.fullmatch(line.rstrip("\r"))) is not None:
            label_kind = _kind_of_title(label[1])
        start += len(line) + 1


def _kind_of_title(title: str) -> CaseKind | None:
    """Returns the kind of the examples below a heading; None if the heading is longer than a few words."""
    words = {word.lower() for word in _WORDS.findall(title)} - _NEUTRAL
    if len(words) != 1:
        return None
    return CaseKind.INVALID if words <= _BAD else CaseKind.VALID if words <= _GOOD else None
