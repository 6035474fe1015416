"""Negative lookarounds that exclude nothing: `(?!foo)bar`, `<img [^>]*(?!alt)>`, `console.*(?!test)`.

Each result is certain: without the lookaround, the pattern matches the same texts. There are two exceptions. After a
`\\s*` that can give back its blanks, this holds only for texts with a blank there. Next to a counted repeat, it does
not hold for texts that repeat the excluded text as often as the repeat.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from ttsr_ls.esregex.analysis.edge_sequences import edge_sequences
from ttsr_ls.esregex.analysis.effect.match_prefixes import have_disjoint_prefixes, match_prefixes
from ttsr_ls.esregex.parse.escapes import SPACES
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Backreference,
    Chars,
    Look,
    Node,
    Pattern,
    Repeat,
    walk,
)
from ttsr_ls.esregex.tree.widths import least_width
from ttsr_ls.text import Span

_MAX_LOOKAROUNDS = 30
_MIN_OPTIONAL_ROUNDS = 20
_MIN_LETTERS = 2
_CASES = 2


class RedundancyReason(Enum):
    """The reason why a negative lookaround always holds at the positions where it is tested."""

    NEIGHBOUR = "the adjacent part of the pattern cannot match the excluded text"
    REPEAT = "the adjacent repeat can match the excluded text"
    GIVEN_BACK = "the repeat before it can match the empty text, so that the lookaround is tested at a blank"
    LATER_START = "a match can begin one character later"


class RedundantLookaround(Struct, frozen=True):
    """A negative lookaround without an effect.

    `neighbour` is the part of the pattern whose text makes it redundant. `is_excluded_beyond` is true if the excluded
    text cannot occur on the other side of the lookaround either.
    """

    lookaround: Look
    reason: RedundancyReason
    neighbour: Span
    is_excluded_beyond: bool = False


def redundant_lookarounds(pattern: Pattern) -> Iterator[RedundantLookaround]:
    """Yields the negative lookarounds of a pattern that exclude nothing, except those inside of other lookarounds."""
    count = 0
    if any(isinstance(node, Backreference) for node in walk(pattern.root)):
        return
    for sequence in edge_sequences(pattern.root):
        for index, item in enumerate(sequence.items):
            if not (isinstance(item, Look) and item.kind.is_negated):
                continue
            count += 1
            if item.kind.is_behind:
                lookaround = _behind(sequence.items, index, item, sequence.is_first)
            else:
                lookaround = _ahead(sequence.items, index, item, sequence.is_first, sequence.is_last)
            if lookaround is not None:
                yield lookaround
        if count >= _MAX_LOOKAROUNDS:
            return


def _ahead(
    items: tuple[Node, ...], index: int, lookaround: Look, first: bool, last: bool
) -> RedundantLookaround | None:
    before, after = items[:index], items[index + 1 :]
    run = _run(before[-1]) if before else None
    long_run = _long_run(before[-1], lookaround) if before else None
    if long_run is not None and _can_cover_excluded(long_run, lookaround):
        rest = _without_runs(after, long_run)
        if (not rest and last) or _is_disjoint_from(lookaround, rest, backwards=False):
            return RedundantLookaround(lookaround, RedundancyReason.REPEAT, before[-1].span)
    if not isinstance(lookaround.body, Chars) and _is_disjoint_from(lookaround, after, backwards=False):
        beyond = _is_disjoint_from(lookaround, before, backwards=True)
        return RedundantLookaround(
            lookaround, RedundancyReason.NEIGHBOUR, Span(after[0].span.start, after[-1].span.end), beyond
        )
    if run is not None and last and not after and _gives_back(before[-1], run, lookaround):
        return RedundantLookaround(lookaround, RedundancyReason.GIVEN_BACK, before[-1].span)
    if first and not before and after and _can_match_later(lookaround, after, last):
        return RedundantLookaround(lookaround, RedundancyReason.LATER_START, after[0].span)
    return None


def _behind(items: tuple[Node, ...], index: int, lookaround: Look, first: bool) -> RedundantLookaround | None:
    before, after = items[:index], items[index + 1 :]
    run = _long_run(after[0], lookaround) if after else None
    if run is not None and _can_cover_excluded(run, lookaround):
        rest = _without_runs(before[::-1], run)[::-1]
        if (not rest and first) or _is_disjoint_from(lookaround, rest, backwards=True):
            return RedundantLookaround(lookaround, RedundancyReason.REPEAT, after[0].span)
    if not isinstance(lookaround.body, Chars) and _is_disjoint_from(lookaround, before, backwards=True):
        beyond = _is_disjoint_from(lookaround, after, backwards=False)
        return RedundantLookaround(
            lookaround, RedundancyReason.NEIGHBOUR, Span(before[0].span.start, before[-1].span.end), beyond
        )
    return None


def _is_disjoint_from(lookaround: Look, adjacent: tuple[Node, ...], *, backwards: bool) -> bool:
    """Returns whether the body of a lookaround matches nowhere where `adjacent` matches."""
    if not adjacent:
        return False
    excluded, standing = (
        match_prefixes([lookaround.body], backwards=backwards),
        match_prefixes(adjacent, backwards=backwards),
    )
    return (
        excluded is not None and standing is not None and bool(excluded) and have_disjoint_prefixes(excluded, standing)
    )


def _run(node: Node) -> Chars | None:
    """Returns the characters of an unbounded repeat of single characters, else None."""
    if isinstance(node, Repeat) and node.maximum is None and isinstance(node.body, Chars):
        return node.body
    return None


def _long_run(node: Node, lookaround: Look) -> Chars | None:
    """Returns the characters of an unbounded repeat, or of a long counted one next to a lookaround at literal text."""
    if not isinstance(node, Repeat) or node.maximum is None:
        return _run(node)
    is_long = node.maximum - node.minimum >= _MIN_OPTIONAL_ROUNDS and isinstance(node.body, Chars)
    letters = [node for node in walk(lookaround.body) if isinstance(node, Chars) and node.units.size <= _CASES]
    return node.body if is_long and isinstance(node.body, Chars) and len(letters) >= _MIN_LETTERS else None


def _without_runs(items: tuple[Node, ...], run: Chars) -> tuple[Node, ...]:
    """Returns the nodes without leading optional repeats whose text the run before them can match, too."""
    for index, item in enumerate(items):
        other = item.body if isinstance(item, Repeat) and item.minimum == 0 else None
        if not isinstance(other, Chars) or other.units - run.units:
            return items[index:]
    return ()


def _can_cover_excluded(run: Chars, lookaround: Look) -> bool:
    """Returns whether a run can match all text that a lookaround excludes. False if the lookaround only marks the end
    of the run."""
    if fold_tree(lookaround.body, least_width) == 0:
        return False
    if isinstance(lookaround.body, Chars) and not run.units - lookaround.body.units:
        return False
    return _consumes_only(lookaround, run)


def _consumes_only(lookaround: Look, run: Chars) -> bool:
    nodes = list(walk(lookaround.body))
    return any(isinstance(node, Chars) for node in nodes) and not any(
        node.units - run.units for node in nodes if isinstance(node, Chars)
    )


def _gives_back(node: Node, run: Chars, lookaround: Look) -> bool:
    """Returns whether the node is an optional repeat of blanks before a lookaround that excludes only text without a
    leading blank."""
    if not isinstance(node, Repeat) or node.minimum or run.units - SPACES:
        return False
    excluded = match_prefixes([lookaround.body])
    return bool(excluded) and all(head and not head[0] & run.units for head in excluded or ())


def _can_match_later(lookaround: Look, after: tuple[Node, ...], last: bool) -> bool:
    """Returns whether a match that a lookaround at the start excludes is found from its second character on, as in
    `(?!foo)\\w+`."""
    node = after[0]
    run = _run(node)
    if run is None or not isinstance(node, Repeat) or node.minimum > 1:
        return False
    if fold_tree(lookaround.body, least_width) <= 1 or not _consumes_only(lookaround, run):
        return False
    return last if len(after) == 1 else _is_disjoint_from_run(run, after[1:])


def _is_disjoint_from_run(run: Chars, after: tuple[Node, ...]) -> bool:
    following = match_prefixes(after)
    return following is not None and all(head and not head[0] & run.units for head in following)
