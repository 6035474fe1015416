"""Witnesses of slow conditions as they occur in JSON, for rules that are only tested on arguments in that form."""

from __future__ import annotations

from msgspec.structs import replace

from ttsr_ls.esregex.analysis.backtracking.attack import Attack
from ttsr_ls.esregex.analysis.graph.graph_lowering import Direction
from ttsr_ls.esregex.tree.bottom_up import evaluate
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
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.lint.regex.json_scope import is_begun_json, json_call, place_in_json_call

_CHANGED = UnitSet.of([(0, 0x1F), (ord('"'), ord('"')), (ord("\\"), ord("\\"))])
"""What a string in JSON has only in another form."""
_ROUNDS = 2
_STARTS = (AssertionKind.INPUT_START, AssertionKind.LINE_START)


class JsonAttack(Attack, frozen=True):
    """An attack whose text is the command of a call, and is matched in the form that JSON gives it."""

    def text(self, rounds: int) -> str:
        """The arguments of the call with so many rounds."""
        return json_call(Attack.text(self, rounds))

    def match_start(self, rounds: int) -> int:
        """The offset in these arguments at which the slow match is tried."""
        return place_in_json_call(Attack.text(self, rounds), Attack.match_start(self, rounds))


def in_json(attack: Attack) -> JsonAttack:
    """The attack with its text as the command of a call."""
    return JsonAttack(attack.prefix, attack.pump, attack.suffix, attack.start, attack.direction)


def as_arguments(attack: Attack) -> Attack | None:
    """The attack where its text can itself be the arguments in JSON, with the brace before them; else None."""
    opened = attack
    if not attack.prefix.startswith("{"):
        forward = attack.direction is Direction.FORWARD
        opened = replace(attack, prefix="{" + attack.prefix, start=attack.start + forward)
    text = opened.text(_ROUNDS)
    return opened if is_begun_json(text) else None


def within_command(pattern: Pattern) -> Pattern:
    """The pattern without its ways to match that no text within a string of JSON takes."""

    def combine(node: Node, below: tuple[Node, ...]) -> Node:
        match node:
            case Chars():
                return replace(node, units=node.units - _CHANGED)
            case Assertion():
                return Chars(node.span, UnitSet(()), CharForm.CLASS) if node.kind in _STARTS else node
            case Alternation():
                return replace(node, branches=below)
            case Sequence():
                return replace(node, items=below)
            case Look() | Capture() | Group() | Repeat():
                return replace(node, body=below[0])
            case Backreference():
                return node

    return replace(pattern, root=evaluate(pattern.root, combine))
