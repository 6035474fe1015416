"""The tree of a parsed pattern. Spans are offsets in UTF-16 code units of the pattern (see `units`).

Flags are resolved while parsing: a node has its meaning, not the flags that it was written under, so readers of a tree
need not know flags. Patterns are hostile input and may be nested tens of thousands deep: walk trees with a stack, never
by recursion.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from operator import is_

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.checkpoint import checkpoint
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.text import Span

_NODES_BETWEEN_CHECKPOINTS = 500


class CharForm(Enum):
    """The form in which a node that matches one code unit was written."""

    LITERAL = "literal"
    """A character that stands for itself, also as an identity escape (`a`, `\\.`, `]`)."""
    ESCAPE = "escape"
    """An escape that names one character (`\\n`, `\\x41`, `\\u0041`, `\\cA`, `\\0`, legacy octal)."""
    CLASS_ESCAPE = "class escape"
    """`\\d \\D \\s \\S \\w \\W`."""
    DOT = "dot"
    CLASS = "class"


class ClassItem(Struct, frozen=True, eq=False, gc=False):
    """One member of a character class as written: a single character, a range `a-z`, or a class escape.

    Its `units` are as written too: the flag `i` is only in the units of the whole class.
    """

    span: Span
    units: UnitSet
    form: CharForm
    is_range: bool


class Chars(Struct, frozen=True, eq=False, gc=False):
    """Matches exactly one code unit out of `units` (the flags `i` and `s` are already in it)."""

    span: Span
    units: UnitSet
    form: CharForm
    items: tuple[ClassItem, ...] = ()
    negated: bool = False


class AssertionKind(Enum):
    """The kind of an assertion without a body."""

    INPUT_START = "^"
    INPUT_END = "$"
    LINE_START = "^ with m"
    LINE_END = "$ with m"
    WORD_BOUNDARY = "\\b"
    NOT_WORD_BOUNDARY = "\\B"


class Assertion(Struct, frozen=True, eq=False, gc=False):
    """Matches the empty string where its condition holds."""

    span: Span
    kind: AssertionKind


class LookKind(Enum):
    """The four lookarounds, by their opening."""

    AHEAD = "(?="
    NOT_AHEAD = "(?!"
    BEHIND = "(?<="
    NOT_BEHIND = "(?<!"

    @property
    def is_behind(self) -> bool:
        """True if the body is matched backward, ending at the position."""
        return self in (LookKind.BEHIND, LookKind.NOT_BEHIND)

    @property
    def is_negated(self) -> bool:
        """True if the lookaround holds where its body does not match."""
        return self in (LookKind.NOT_AHEAD, LookKind.NOT_BEHIND)


class Look(Struct, frozen=True, eq=False, gc=False):
    """A lookahead or lookbehind."""

    span: Span
    kind: LookKind
    body: Node


class Capture(Struct, frozen=True, eq=False, gc=False):
    """A capturing group; `index` counts from 1 in order of the opening parentheses."""

    span: Span
    index: int
    name: str | None
    body: Node


class Group(Struct, frozen=True, eq=False, gc=False):
    """A group that captures nothing: `(?:…)`, or `(?i-m:…)` whose flags are resolved in the body."""

    span: Span
    body: Node


class Backreference(Struct, frozen=True, eq=False, gc=False):
    """Matches the text that a group captured; the empty text if the group has captured nothing.

    `groups` has several indexes only for a name that several alternatives use; at most one of them is set.
    """

    span: Span
    groups: tuple[int, ...]
    name: str | None
    ignore_case: bool


class Repeat(Struct, frozen=True, eq=False, gc=False):
    """A quantified node. `maximum` is None if there is no upper bound.

    Captures in `body` are reset at the start of each round. `first_capture` and `end_capture` are the half-open range
    of their indexes.
    """

    span: Span
    body: Node
    minimum: int
    maximum: int | None
    lazy: bool
    first_capture: int
    end_capture: int


class Sequence(Struct, frozen=True, eq=False, gc=False):
    """Nodes one after the other; an empty sequence matches the empty string."""

    span: Span
    items: tuple[Node, ...]


class Alternation(Struct, frozen=True, eq=False, gc=False):
    """Matches the first of `branches`, at least two, with which the rest of the pattern matches too."""

    span: Span
    branches: tuple[Node, ...]


Node = Chars | Assertion | Look | Capture | Group | Backreference | Repeat | Sequence | Alternation


class Pattern(Struct, frozen=True, eq=False, gc=False):
    """A parsed pattern.

    `source` is the pattern in units (see `units.to_units`), without the leading `(?ims)` group of a rule's condition,
    which the rule language parses (spec R1) and passes to the parser as flags.
    """

    source: str
    root: Node
    capture_count: int
    capture_names: tuple[tuple[str, int], ...]


def children(node: Node) -> tuple[Node, ...]:
    """Returns the direct children of a node, in source order."""
    match node:
        # The most frequent kinds first.
        case Chars():
            return ()
        case Sequence():
            return node.items
        case Look() | Capture() | Group() | Repeat():
            return (node.body,)
        case Alternation():
            return node.branches
        case _:
            return ()


def with_children(node: Node, new_children: tuple[Node, ...]) -> Node:
    """Returns a copy of a node with these children; `node` itself if they are its own children."""
    old_children = children(node)
    if len(old_children) == len(new_children) and all(map(is_, old_children, new_children)):
        return node
    match node:
        case Sequence():
            return replace(node, items=new_children)
        case Alternation():
            return replace(node, branches=new_children)
        case _:
            return replace(node, body=new_children[0])


def walk(root: Node) -> Iterator[Node]:
    """Yields every node of the tree, parents before their children, in source order."""
    stack = [root]
    unchecked = 0
    while stack:
        node = stack.pop()
        yield node
        unchecked += 1
        if unchecked == _NODES_BETWEEN_CHECKPOINTS:
            checkpoint()
            unchecked = 0
        # A shortcut: most nodes are characters, which have no children.
        if type(node) is not Chars:
            stack.extend(reversed(children(node)))
