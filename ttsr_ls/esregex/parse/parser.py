"""Parses a pattern to a tree: ECMA-262 with Annex B, as `new RegExp` does without `u` and `v`.

Owns nesting and the order of terms; `groups`, `classes`, `escapes`, `names` and `quantifiers` parse single parts. It
keeps its own stack, because a pattern may be nested as deep as it is long.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import assert_never

from ttsr_ls.checkpoint import checkpoint
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.classes import read_class, single_unit, single_unit_ignoring_case
from ttsr_ls.esregex.parse.escapes import CLASS_ESCAPES, LINE_TERMINATORS, read_character_escape
from ttsr_ls.esregex.parse.flags import NO_FLAGS, Flags
from ttsr_ls.esregex.parse.groups import (
    CaptureOpening,
    GroupOpening,
    LookOpening,
    Opening,
    read_opening,
    unmatched_parenthesis_error,
)
from ttsr_ls.esregex.parse.names import read_group_name, shortened_name
from ttsr_ls.esregex.parse.quantifiers import Quantifier, read_quantifier, repeat_error, starts_quantifier
from ttsr_ls.esregex.parse.survey import GroupSurvey, survey_groups
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
    Node,
    Pattern,
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import EVERY_UNIT
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.text import Span

_LITERALS = re.compile(r"[^\\^$.*+?()\[{|]+")
_DECIMAL = re.compile(r"[1-9][0-9]*+")
_BOUNDARIES = {"b": AssertionKind.WORD_BOUNDARY, "B": AssertionKind.NOT_WORD_BOUNDARY}
_NOT_LINE_TERMINATOR = ~LINE_TERMINATORS
_UNITS_BETWEEN_CHECKPOINTS = 128  # A class that ignores case takes a millisecond for so many.


def parse(source: str, flags: Flags = NO_FLAGS) -> Pattern:
    """Returns the tree of `source`, any text, parsed under `flags`. Takes time linear in its length, at any nesting
    depth.

    Raises `RegexSyntaxError` exactly where `new RegExp(source, flags)` throws. Its span and those of the tree are in
    UTF-16 code units of `source`.
    """
    return _Parser(to_units(source), flags).pattern()


class _Frame:
    """A disjunction that is being read: the body of a group that starts at `start`, or the whole pattern.

    `index` is the index of this capture; for another group, the index of the first capture inside.
    """

    __slots__ = ("body_start", "branch_start", "branches", "index", "items", "opening", "outer_flags", "start")

    def __init__(self, opening: Opening, start: int, body_start: int, index: int, outer_flags: Flags) -> None:
        self.opening = opening
        self.start = start
        self.body_start = body_start
        self.index = index
        self.outer_flags = outer_flags
        self.branch_start = body_start
        self.items: list[Node] = []
        self.branches: list[Node] = []


class _Parser:
    def __init__(self, source: str, flags: Flags) -> None:
        self._source = source
        self._flags = flags
        self._captures = 0
        self._names: list[tuple[str, int]] = []
        self._last_of_name: dict[str, int] = {}
        self._frames = [_Frame(GroupOpening(flags), 0, 0, 1, flags)]
        self._body_starts = [0]
        self._cached_survey: GroupSurvey | None = None
        # Computed once: a search for every class would make parsing quadratic.
        self._mentions_k = "\\k" in source
        self._group_first_capture = 1

    def pattern(self) -> Pattern:
        source = self._source
        end = len(source)
        position = unchecked = 0
        while position < end:
            if position - unchecked > _UNITS_BETWEEN_CHECKPOINTS:
                checkpoint()
                unchecked = position
            if run := _LITERALS.match(source, position):
                self._add_literals(run[0], position)
                position = run.end()
                continue
            match source[position]:
                case "(":
                    position = self._open(position)
                case ")":
                    position = self._close(position)
                case "|":
                    position = self._next_branch(position)
                case "*" | "+" | "?" | "{":
                    position = self._quantify(position)
                case "\\":
                    position = self._escape(position)
                case "[":
                    node, position = read_class(source, position, self._flags.ignore_case, self._forbids_k_in_classes())
                    self._add(node)
                case ".":
                    units = EVERY_UNIT if self._flags.dot_all else _NOT_LINE_TERMINATOR
                    self._add(Chars(Span(position, position + 1), units, CharForm.DOT))
                    position += 1
                case "^":
                    kind = AssertionKind.LINE_START if self._flags.multiline else AssertionKind.INPUT_START
                    position = self._assert(kind, position, position + 1)
                case _:
                    kind = AssertionKind.LINE_END if self._flags.multiline else AssertionKind.INPUT_END
                    position = self._assert(kind, position, position + 1)
        frame = self._frames[-1]
        if len(self._frames) > 1:
            raise RegexSyntaxError(
                "This group has no end; close it with ), or write \\( for a literal parenthesis.",
                Span(frame.start, frame.body_start),
            )
        return Pattern(source, _body(frame, end), self._captures, tuple(self._names))

    def _add(self, node: Node) -> None:
        self._frames[-1].items.append(node)

    def _add_literals(self, text: str, offset: int) -> None:
        units_of = single_unit_ignoring_case if self._flags.ignore_case else single_unit
        literal = CharForm.LITERAL
        self._frames[-1].items.extend(
            [
                Chars(Span(position, position + 1), units_of(ord(char)), literal)
                for position, char in enumerate(text, offset)
            ]
        )

    def _assert(self, kind: AssertionKind, start: int, end: int) -> int:
        self._add(Assertion(Span(start, end), kind))
        return end

    def _open(self, position: int) -> int:
        opening, body = read_opening(self._source, position, self._flags)
        match opening:
            case CaptureOpening(name):
                if name is not None:
                    self._declare(name, position, body)
                self._captures += 1
                index = self._captures
            case GroupOpening() | LookOpening():
                index = self._captures + 1
            case _:
                assert_never(opening)
        self._frames.append(_Frame(opening, position, body, index, self._flags))
        self._body_starts.append(body)
        if isinstance(opening, GroupOpening):
            self._flags = opening.flags
        return body

    def _declare(self, name: str, position: int, body: int) -> None:
        """Records a named group. Raises `RegexSyntaxError` if a group of the same name can take part in the same match.

        Groups in different alternatives of the innermost disjunction around both cannot. Only the last group of the
        name is checked: an older one that conflicts with this one would have conflicted with the last one, too.
        """
        last = self._last_of_name.get(name)
        if last is not None:
            around_both = self._frames[bisect_right(self._body_starts, last) - 1]
            if around_both.branch_start <= last:
                raise RegexSyntaxError(
                    f"There is already a group named {shortened_name(name)}; "
                    "only groups in different alternatives may share a name.",
                    Span(position, body),
                )
        self._last_of_name[name] = position
        self._names.append((name, self._captures + 1))

    def _close(self, position: int) -> int:
        if len(self._frames) == 1:
            raise unmatched_parenthesis_error(self._source, position)
        frame = self._frames.pop()
        self._body_starts.pop()
        body = _body(frame, position)
        span = Span(frame.start, position + 1)
        match frame.opening:
            case CaptureOpening(name):
                self._add(Capture(span, frame.index, name, body))
            case GroupOpening():
                self._add(Group(span, body))
            case LookOpening(kind):
                self._add(Look(span, kind, body))
            case _:
                assert_never(frame.opening)
        self._flags = frame.outer_flags
        self._group_first_capture = frame.index
        return position + 1

    def _next_branch(self, position: int) -> int:
        frame = self._frames[-1]
        frame.branches.append(_sequence(frame.items, frame.branch_start, position))
        frame.items = []
        frame.branch_start = position + 1
        return position + 1

    def _quantify(self, position: int) -> int:
        if not starts_quantifier(self._source, position):
            self._add_literals("{", position)
            return position + 1
        items = self._frames[-1].items
        target = items[-1] if items else None
        is_lookbehind = isinstance(target, Look) and target.kind.is_behind
        if target is None or is_lookbehind or isinstance(target, Assertion | Repeat):
            raise repeat_error(target, self._source, position)
        quantifier = read_quantifier(self._source, position)
        items[-1] = self._repeat(target, quantifier)
        return quantifier.span.end

    def _repeat(self, body: Node, quantifier: Quantifier) -> Repeat:
        after = self._captures + 1
        first = self._group_first_capture if isinstance(body, Capture | Group | Look) else after
        span = Span(body.span.start, quantifier.span.end)
        return Repeat(span, body, quantifier.minimum, quantifier.maximum, quantifier.lazy, first, after)

    def _escape(self, position: int) -> int:
        source = self._source
        escaped = source[position + 1 : position + 2]
        if escaped in CLASS_ESCAPES:
            self._add(Chars(Span(position, position + 2), CLASS_ESCAPES[escaped], CharForm.CLASS_ESCAPE))
            return position + 2
        if escaped in _BOUNDARIES:
            return self._assert(_BOUNDARIES[escaped], position, position + 2)
        if (number := _DECIMAL.match(source, position + 1)) and self._is_group(number[0]):
            self._refer((int(number[0]),), None, position, number.end())
            return number.end()
        if escaped == "k" and self._survey().has_names:
            return self._named_reference(position)
        unit, form, end = read_character_escape(source, position)
        units_of = single_unit_ignoring_case if self._flags.ignore_case else single_unit
        self._add(Chars(Span(position, end), units_of(unit), form))
        return end

    def _is_group(self, number: str) -> bool:
        count = self._survey().capture_count
        return len(number) <= len(str(count)) and int(number) <= count

    def _named_reference(self, position: int) -> int:
        if not self._source.startswith("<", position + 2):
            raise RegexSyntaxError(
                "In a pattern with named groups \\k must be followed by a name, as in \\k<name>.",
                Span(position, position + 2),
            )
        name, end = read_group_name(self._source, position + 3)
        groups = self._survey().names.get(name)
        if groups is None:
            raise RegexSyntaxError(f"There is no group named {shortened_name(name)}.", Span(position, end))
        self._refer(groups, name, position, end)
        return end

    def _refer(self, groups: tuple[int, ...], name: str | None, start: int, end: int) -> None:
        self._add(Backreference(Span(start, end), groups, name, self._flags.ignore_case))

    def _survey(self) -> GroupSurvey:
        if self._cached_survey is None:
            self._cached_survey = survey_groups(self._source)
        return self._cached_survey

    def _forbids_k_in_classes(self) -> bool:
        # Most patterns do not contain `\k`, and need no survey.
        return self._mentions_k and self._survey().has_names


def _body(frame: _Frame, end: int) -> Node:
    last = _sequence(frame.items, frame.branch_start, end)
    if not frame.branches:
        return last
    return Alternation(Span(frame.body_start, end), (*frame.branches, last))


def _sequence(items: list[Node], start: int, end: int) -> Node:
    return items[0] if len(items) == 1 else Sequence(Span(start, end), tuple(items))
