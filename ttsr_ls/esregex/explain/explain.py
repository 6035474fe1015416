"""Explains in plain English what a pattern matches, part by part.

A simple part takes one line, any other part a heading with its parts below. The number of lines, their length and the
nesting depth are bounded for every pattern.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from typing import assert_never

from msgspec import Struct

from ttsr_ls.esregex.explain.char_names import describe_chars, in_quotes, is_printable_unit, written_unit
from ttsr_ls.esregex.parse.names import shortened_name
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Backreference,
    Capture,
    CharForm,
    Chars,
    Group,
    Look,
    LookKind,
    Node,
    Pattern,
    Repeat,
    Sequence,
    children,
)
from ttsr_ls.text import Span

_MAX_LINES = 40
_MAX_DEPTH = 5
_MAX_PHRASE_LENGTH = 96
_MAX_TEXT_LENGTH = 48
# How many wrappers around a part still read well on one line: `group 1: a digit, one or more times`.
_MAX_PHRASE_DEPTH = 4

_PLACES = {
    AssertionKind.INPUT_START: "the start of the text",
    AssertionKind.INPUT_END: "the end of the text",
    AssertionKind.LINE_START: "the start of a line",
    AssertionKind.LINE_END: "the end of a line",
    AssertionKind.WORD_BOUNDARY: "a word boundary",
    AssertionKind.NOT_WORD_BOUNDARY: "no word boundary",
}
_LOOKS = {
    LookKind.AHEAD: "followed by",
    LookKind.NOT_AHEAD: "not followed by",
    LookKind.BEHIND: "preceded by",
    LookKind.NOT_BEHIND: "not preceded by",
}


class Explanation(Struct, frozen=True):
    """The description of one part of a pattern. `span` is in units; `depth` is the level of the heading, from 0."""

    span: Span
    text: str
    depth: int


class _Task(Struct, frozen=True):
    node: Node
    depth: int


def explain(pattern: Pattern) -> tuple[Explanation, ...]:
    """Returns the explanations of the parts of `pattern` in source order. A text that ends in a colon is a heading;
    deeper explanations follow it.
    """
    lines: list[Explanation] = []
    root = pattern.root
    tasks = _tasks(pattern.source, root, 0) if isinstance(root, Sequence) and root.items else [_Task(root, 0)]
    while tasks:
        task = tasks.pop()
        if len(lines) == _MAX_LINES:
            rest = Span(task.node.span.start, root.span.end)
            lines.append(Explanation(rest, "… and more that is not shown", 0))
            break
        phrase = _phrase(pattern.source, task.node, _MAX_PHRASE_DEPTH)
        if phrase is not None and (len(phrase) <= _MAX_PHRASE_LENGTH or not children(task.node)):
            lines.append(Explanation(task.node.span, phrase, task.depth))
        elif task.depth == _MAX_DEPTH:
            lines.append(Explanation(task.node.span, "… a nested part that is not shown", task.depth))
        else:
            heading, body = _heading(task.node)
            lines.append(Explanation(task.node.span, f"{heading}:", task.depth))
            tasks += _tasks(pattern.source, body, task.depth + 1)
    return tuple(lines)


def _tasks(source: str, node: Node, depth: int) -> list[_Task]:
    """Returns the parts to explain below a heading, last part first."""
    match node:
        case Sequence():
            parts: list[Node] = list(islice(_parts(source, node), _MAX_LINES + 1))
        case Alternation():
            parts = list(node.branches[: _MAX_LINES + 1])
        case _:
            parts = [node]
    return [_Task(part, depth) for part in reversed(parts)]


def _parts(source: str, sequence: Sequence) -> Iterator[Node]:
    """Yields the items of a sequence, with each run of plain characters as one sequence."""
    for are_text, items in groupby(sequence.items, lambda item: _is_text(source, item)):
        run = tuple(items)
        if are_text and len(run) > 1:
            yield Sequence(Span(run[0].span.start, run[-1].span.end), run)
        else:
            yield from run


def _is_text(source: str, node: Node) -> bool:
    if not isinstance(node, Chars) or node.form not in (CharForm.LITERAL, CharForm.ESCAPE):
        return False
    unit = written_unit(source, node)
    return is_printable_unit(unit) or unit == 0x20 or 0xD800 <= unit <= 0xDFFF


def _heading(node: Node) -> tuple[str, Node]:
    """Returns the heading of a node that is too complex for one line, and the node whose parts follow."""
    match node:
        case Repeat():
            # The repeated group shares the heading of the repeat.
            inner, body = _heading(node.body) if isinstance(node.body, Capture | Look | Group) else ("this", node.body)
            return f"{inner}, {_times(node)}", body
        case Capture():
            return _group_name(node), node.body
        case Look():
            return _LOOKS[node.kind], node.body
        case Group():
            return ("one of these" if isinstance(node.body, Alternation) else "this"), node.body
        case Alternation():
            return "one of these", node
        case Chars() | Assertion() | Backreference() | Sequence():
            return "this, in order", node
        case _:
            assert_never(node)


def _phrase(source: str, node: Node, depth: int) -> str | None:
    """Returns a description of a node on one line; None if the node is too complex."""
    if depth == 0:
        return None
    match node:
        case Chars():
            return describe_chars(source, node)
        case Assertion():
            return _PLACES[node.kind]
        case Backreference():
            return _reference(node)
        case Sequence():
            return _text(source, node)
        case Group():
            return _phrase(source, node.body, depth - 1)
        case Repeat():
            body = _phrase(source, node.body, depth - 1)
            return None if body is None else f"{body}, {_times(node)}"
        case Capture():
            body = _phrase(source, node.body, depth - 1)
            return None if body is None else f"{_group_name(node)}: {body}"
        case Look():
            body = _phrase(source, node.body, depth - 1)
            return None if body is None else f"{_LOOKS[node.kind]} {body}"
        case Alternation():
            return _choice(source, node, depth)
        case _:
            assert_never(node)


def _choice(source: str, node: Alternation, depth: int) -> str | None:
    if len(node.branches) > _MAX_PHRASE_LENGTH // 2:
        return None
    phrases = []
    for branch in node.branches:
        phrase = _phrase(source, branch, depth - 1)
        if phrase is None or ", " in phrase or " or " in phrase:
            return None
        phrases.append(phrase)
    return f"{', '.join(phrases[:-1])} or {phrases[-1]}"


def _text(source: str, sequence: Sequence) -> str | None:
    items = sequence.items
    if not items:
        return "nothing (the empty text)"
    shown = items[:_MAX_TEXT_LENGTH]
    units = []
    any_case = False
    for item in shown:
        if not isinstance(item, Chars) or not _is_text(source, item):
            return None
        units.append(written_unit(source, item))
        any_case = any_case or item.units.size > 1
    raw = b"".join(unit.to_bytes(2, "little") for unit in units)
    # Two surrogates may form a character that is not printable.
    chars = [char if char.isprintable() else f"<U+{ord(char):X}>" for char in raw.decode("utf-16-le", "replace")]
    text = "".join(chars) + ("…" if len(items) > len(shown) else "")
    return in_quotes(text) + (", in either case" if any_case else "")


def _reference(node: Backreference) -> str:
    group = f"group {node.groups[0]}" if node.name is None else f"the group named {shortened_name(node.name)}"
    return f"the same text as {group}" + (", in either case" if node.ignore_case else "")


def _group_name(node: Capture) -> str:
    return f"group {node.index}" if node.name is None else f"group {node.index}, named {shortened_name(node.name)}"


def _times(node: Repeat) -> str:
    if (node.minimum, node.maximum) == (0, 1):
        return "optional, left out if possible" if node.lazy else "optional"
    few = ", as few as possible" if node.lazy and node.minimum != node.maximum else ""
    return _count(node.minimum, node.maximum) + few


def _count(minimum: int, maximum: int | None) -> str:
    if maximum is None:
        return {0: "any number of times", 1: "one or more times"}.get(minimum, f"{minimum} or more times")
    if minimum == maximum:
        return {0: "zero times", 1: "once"}.get(minimum, f"{minimum} times")
    if minimum == 0:
        return f"at most {maximum} times"
    return f"between {minimum} and {maximum} times"
