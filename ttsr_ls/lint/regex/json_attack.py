"""Witnesses of slow conditions in JSON form, for rules that are only matched on JSON arguments."""

from __future__ import annotations

from msgspec.structs import replace

from ttsr_ls.esregex.analysis.backtracking.attack import Attack
from ttsr_ls.esregex.analysis.graph.graph_lowering import Direction
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Assertion,
    AssertionKind,
    CharForm,
    Chars,
    Node,
    Pattern,
    with_children,
)
from ttsr_ls.esregex.tree.unit_set import UnitSet
from ttsr_ls.lint.regex.json_scope import is_json_prefix, json_call, offset_in_json_call

_CHANGED = UnitSet.of([(0, 0x1F), (ord('"'), ord('"')), (ord("\\"), ord("\\"))])
"""Units that are escaped in a JSON string."""
_ROUNDS = 2
_STARTS = (AssertionKind.INPUT_START, AssertionKind.LINE_START)


class JsonAttack(Attack, frozen=True):
    """An attack whose text is the command of a call, matched in its JSON form."""

    def text(self, rounds: int) -> str:
        """Returns the arguments of the call with `rounds` rounds."""
        return json_call(Attack.text(self, rounds))

    def match_start(self, rounds: int) -> int:
        """Returns the offset in these arguments at which the slow match attempt begins."""
        return offset_in_json_call(Attack.text(self, rounds), Attack.match_start(self, rounds))


def to_command_attack(attack: Attack) -> JsonAttack:
    """Returns the attack with its text as the command of a call."""
    return JsonAttack(attack.prefix, attack.pump, attack.suffix, attack.start, attack.direction)


def to_arguments_attack(attack: Attack) -> Attack | None:
    """Returns the attack with an opening brace before its text; None if that does not begin JSON arguments."""
    opened_attack = attack
    if not attack.prefix.startswith("{"):
        forward = attack.direction is Direction.FORWARD
        opened_attack = replace(attack, prefix="{" + attack.prefix, start=attack.start + forward)
    text = opened_attack.text(_ROUNDS)
    return opened_attack if is_json_prefix(text) else None


def restricted_to_command(pattern: Pattern) -> Pattern:
    """Returns the pattern without the alternatives that match no text within a JSON string."""

    def combine(node: Node, children: tuple[Node, ...]) -> Node:
        match node:
            case Chars():
                return replace(node, units=node.units - _CHANGED)
            case Assertion():
                return Chars(node.span, UnitSet(()), CharForm.CLASS) if node.kind in _STARTS else node
            case _:
                return with_children(node, children)

    return replace(pattern, root=fold_tree(pattern.root, combine))
