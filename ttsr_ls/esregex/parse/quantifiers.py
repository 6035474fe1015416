"""Quantifiers: how often the preceding item is repeated."""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.tree.nodes import Assertion, Look, Node, Repeat
from ttsr_ls.text import Span

UNBOUNDED = 2**31 - 1
"""Greater counts are reduced to this one. As a maximum it means "no bound", because no text is that long."""

_COUNTS = re.compile(r"\{([0-9]++)(?:(,)([0-9]*+))?\}")
_SIMPLE = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class Quantifier(Struct, frozen=True):
    """A parsed quantifier. `maximum` is None if there is no upper bound."""

    span: Span
    minimum: int
    maximum: int | None
    lazy: bool


def starts_quantifier(source: str, position: int) -> bool:
    """Returns whether the `*`, `+`, `?` or `{` at `position` starts a quantifier. A `{` without counts is a literal."""
    return source[position] in _SIMPLE or _COUNTS.match(source, position) is not None


def read_quantifier(source: str, position: int) -> Quantifier:
    """The quantifier that starts at `position`. Raises `RegexSyntaxError` when its counts are out of order."""
    simple = _SIMPLE.get(source[position])
    if simple is not None:
        minimum, maximum = simple
        end = position + 1
    else:
        counts = _COUNTS.match(source, position)
        assert counts is not None, "the caller made sure that a quantifier starts here"
        minimum, maximum = _bounds(counts)
        end = counts.end()
    lazy = source.startswith("?", end)
    return Quantifier(Span(position, end + lazy), minimum, maximum, lazy)


def repeat_error(target: Node | None, source: str, position: int) -> RegexSyntaxError:
    """Returns the error for the quantifier at `position` after `target`, which cannot be repeated; None if nothing
    precedes it.
    """
    counts = _COUNTS.match(source, position)
    span = Span(position, counts.end() if counts else position + 1)
    match target:
        case Repeat() if source[position] == "+":
            message = "Possessive quantifiers do not exist in ECMAScript; remove the second +."
        case Repeat():
            message = "This is repeated already; to repeat it again, put it in a group, as in (?:…)."
        case Look():
            message = "A lookbehind cannot be repeated; remove the quantifier."
        case Assertion():
            assertion = source[target.span.start : target.span.end]
            message = f"{assertion} matches a position, not text, and cannot be repeated; remove the quantifier."
        case _:
            message = (
                f"There is nothing before this to repeat; for a literal {source[position]} write \\{source[position]}."
            )
    return RegexSyntaxError(message, span)


def _bounds(counts: re.Match[str]) -> tuple[int, int | None]:
    low, comma, high = counts.groups()
    minimum = _clamped(low)
    if comma is None:
        return minimum, minimum if minimum < UNBOUNDED else None
    if not high:
        return minimum, None
    if _magnitude(high) < _magnitude(low):
        raise RegexSyntaxError(
            f"These counts are out of order; did you mean {{{high},{low}}}?"
            if len(low) < 20
            else "These counts are out of order: the second is less than the first.",
            Span(counts.start(), counts.end()),
        )
    maximum = _clamped(high)
    return minimum, maximum if maximum < UNBOUNDED else None


def _clamped(digits: str) -> int:
    # Python refuses to convert more than 4300 digits, and would need quadratic time for them.
    significant = digits.lstrip("0")
    return min(int(significant or "0"), UNBOUNDED) if len(significant) <= 10 else UNBOUNDED


def _magnitude(digits: str) -> tuple[int, str]:
    significant = digits.lstrip("0")
    return len(significant), significant
