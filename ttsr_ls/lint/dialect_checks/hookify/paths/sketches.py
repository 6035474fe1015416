"""Reduces a pattern to sketches of the paths that it may be meant for (see `path_patterns`)."""

from __future__ import annotations

from itertools import islice, product
from string import ascii_letters, digits
from typing import assert_never

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
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
    Repeat,
    Sequence,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet

_MAX_SKETCHES = 32
_MAX_LENGTH = 400
_MAX_DEPTH = 20
_NO_PATH = "!"
_ENDS = {
    AssertionKind.INPUT_START: "^",
    AssertionKind.LINE_START: "^",
    AssertionKind.INPUT_END: "$",
    AssertionKind.LINE_END: "$",
}
_SLASHES = UnitSet.of((ord(item), ord(item)) for item in "/\\")
_IN_NAMES = UnitSet.of((ord(item), ord(item)) for item in f"{ascii_letters}{digits}_-.@~+#/\\")
_BLANK = ord(" ")
_LARGE = 1_000


def sketches_of(pattern: str) -> tuple[str, ...]:
    """Returns the sketches of a pattern, up to a limit; none for a pattern with unsupported constructs."""
    if len(pattern) > _MAX_LENGTH or pattern.count("(") > _MAX_DEPTH:
        return ()
    try:
        root = parse(pattern).root
    except RegexSyntaxError:
        return ()
    return _sketches(root)


def _sketches(node: Node) -> tuple[str, ...]:
    # Recursion is bounded by the number of parentheses.
    match node:
        case Chars():
            return (_char(node),)
        case Assertion():
            return (_ENDS.get(node.kind, ""),)
        case Look():
            return ("",)
        case Backreference():
            return (_NO_PATH,)
        case Group() | Capture():
            return _sketches(node.body)
        case Repeat():
            body = _sketches(node.body)
            if node.maximum is None or node.maximum > 1:
                body = tuple("*" if item == "?" else item for item in body)
            return body if node.minimum or body == ("*",) else (*body, "")
        case Alternation():
            sketches = tuple(dict.fromkeys(sketch for branch in node.branches for sketch in _sketches(branch)))
            return ("<",) if set(sketches) == {"^", "/"} else sketches[:_MAX_SKETCHES]
        case Sequence():
            choices = [_sketches(item) for item in node.items]
            return tuple("".join(item) for item in islice(product(*choices), _MAX_SKETCHES))
        case _:
            assert_never(node)


def _char(node: Chars) -> str:
    match node.form:
        case CharForm.DOT:
            return "?"
        case CharForm.LITERAL | CharForm.ESCAPE:
            unit = node.units.single_unit
            if unit is None or (unit not in _IN_NAMES and unit != _BLANK):
                return _NO_PATH
            return "/" if unit in _SLASHES else chr(unit)
        case CharForm.CLASS | CharForm.CLASS_ESCAPE if not node.units - _SLASHES:
            return "/"
        case CharForm.CLASS | CharForm.CLASS_ESCAPE:
            # `[^/]` is meant for paths.
            is_rest_of_path = node.negated and ord("/") not in node.units
            is_no_blank = _BLANK not in node.units and not node.negated and node.units.size > _LARGE
            return "?" if is_rest_of_path or is_no_blank or not node.units - _IN_NAMES else _NO_PATH
        case _:
            assert_never(node.form)
