"""Finds the backreferences that mean the same to the `regex` package as to ECMAScript, and those that can only match
the empty text.

The two engines differ in two ways. ECMAScript resets the captures inside of a loop at the start of each round, `regex`
keeps them: a reference is safe if every round whose captures it can see has set the group anew. And `regex` caches the
positions at which a loop or its continuation cannot match, although that may depend on captures: a loop between a group
and a reference to it is safe if all texts of the group have the same length and the loop contains no loop. An unset
group is treated like one that captured the empty text: a reference to either matches the empty text.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    Backreference,
    Capture,
    Chars,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    children,
    walk,
)
from ttsr_ls.esregex.tree.widths import greatest_width, least_width

_ASCII_END = 0x80


class ReadableReference(Struct, frozen=True):
    """The reference matches the text that the first set group of `groups` captured; the empty text if none is set."""

    groups: tuple[int, ...]


class UnreadableReference(Struct, frozen=True):
    """`regex` would match another text than ECMAScript; `reason` says why."""

    reason: str


ReferenceReading = ReadableReference | UnreadableReference


def read_references(root: Node) -> dict[int, ReferenceReading]:
    """Returns how `regex` would read each backreference, keyed by the identity of its node. Takes time proportional to
    the number of references times the depth of the tree.
    """
    parents = {id(child): (node, index) for node in walk(root) for index, child in enumerate(children(node))}
    captures = {node.index: node for node in walk(root) if isinstance(node, Capture)}
    paths = {index: _path(capture, parents) for index, capture in captures.items()}
    return {
        id(node): _reading(node, _path(node, parents), captures, paths)
        for node in walk(root)
        if isinstance(node, Backreference)
    }


# A path leads from the root to a node, each ancestor with the index of the child that it goes through.
_Path = list[tuple[Node, int]]


def _path(node: Node, parents: dict[int, tuple[Node, int]]) -> _Path:
    path: _Path = []
    while id(node) in parents:
        node, index = parents[id(node)]
        path.append((node, index))
    return path[::-1]


def _reading(
    reference: Backreference, path: _Path, captures: dict[int, Capture], paths: dict[int, _Path]
) -> ReferenceReading:
    groups: list[int] = []
    # A group without a node was in a loop of no rounds, which `simplify` removed: it is never set.
    for index in (index for index in reference.groups if index in captures):
        match _reading_of_group(path, captures[index], paths[index]):
            case ReadableReference() as readable:
                groups += readable.groups
            case UnreadableReference() as unreadable:
                return unreadable
    if reference.ignore_case and not all(_is_ascii(captures[index].body) for index in groups):
        return UnreadableReference("it compares letters beyond ASCII without case")
    return ReadableReference(tuple(groups))


def _reading_of_group(reference_path: _Path, capture: Capture, capture_path: _Path) -> ReferenceReading:
    if any(node is capture for node, _ in reference_path):
        return ReadableReference(())
    if any(isinstance(node, Look) and node.kind.is_behind for node, _ in (*reference_path, *capture_path)):
        return UnreadableReference("it is read or set in a lookbehind")
    depth = next(
        position
        for position, (here, there) in enumerate(zip(reference_path, capture_path, strict=False))
        if here[1] != there[1]
    )
    fork = capture_path[depth][0]
    if not isinstance(fork, Sequence) or capture_path[depth][1] > reference_path[depth][1]:
        # The group is in another branch, or after the reference. Each round of a loop around both resets it.
        return ReadableReference(())
    below_fork = [node for node, _ in capture_path[depth + 1 :]]
    if any(isinstance(node, Look) and node.kind.is_negated for node in below_fork):
        return ReadableReference(())
    if any(_is_loop(node) for node, _ in capture_path[:depth]) and not _is_always_taken(below_fork):
        return UnreadableReference("it is in a loop with its group, which not every round sets")
    for position, node in enumerate(below_fork):
        if _is_loop(node) and not _is_always_taken(below_fork[position + 1 :]):
            return UnreadableReference("its group is in a loop, and not every round sets it")
    between = [*below_fork, *(node for node, _ in reference_path[depth + 1 :])]
    loops = [node for node in between if _is_loop(node)]
    if loops and not _has_one_width(capture):
        return UnreadableReference("a loop is between it and its group, whose texts differ in length")
    if any(_is_loop(inner) for loop in loops for child in children(loop) for inner in walk(child)):
        return UnreadableReference("a nested loop is between it and its group")
    return ReadableReference((capture.index,))


def _is_loop(node: Node) -> bool:
    return isinstance(node, Repeat) and node.maximum != 1


def _is_always_taken(path: list[Node]) -> bool:
    """Returns whether the end of a path down the tree is matched whenever its start is matched."""
    return not any(isinstance(node, Alternation) or (isinstance(node, Repeat) and node.minimum == 0) for node in path)


def _has_one_width(node: Node) -> bool:
    return fold_tree(node, least_width) == fold_tree(node, greatest_width)


def _is_ascii(body: Node) -> bool:
    """Returns whether `body` can capture nothing but ASCII."""
    for node in walk(body):
        match node:
            case Chars():
                if node.units and node.units.ranges[-1][1] >= _ASCII_END:
                    return False
            case Backreference():
                return False
            case Assertion() | Look() | Capture() | Group() | Repeat() | Sequence() | Alternation():
                pass
            case _:
                assert_never(node)
    return True
