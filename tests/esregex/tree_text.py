"""Writes trees as short texts, so that tests state an expected tree in one line."""

from __future__ import annotations

from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
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


def tree_text(node: Node) -> str:
    """Returns the text of a tree. Recursive, because the trees of tests are not deep."""
    match node:
        case Chars(form=CharForm.CLASS | CharForm.CLASS_ESCAPE | CharForm.DOT):
            return f"{node.form.value}{units_text(node.units)}"
        case Chars():
            return units_text(node.units) if node.form is CharForm.LITERAL else f"escape{units_text(node.units)}"
        case Assertion():
            return f"<{node.kind.name}>"
        case Backreference():
            case_text = "i" if node.ignore_case else ""
            return f"ref{case_text}({','.join(map(str, node.groups))})"
        case Look():
            return f"{node.kind.name}({tree_text(node.body)})"
        case Capture():
            name = "" if node.name is None else f":{node.name}"
            return f"#{node.index}{name}({tree_text(node.body)})"
        case Group():
            return f"({tree_text(node.body)})"
        case Repeat():
            lazy = "?" if node.lazy else ""
            most = "" if node.maximum is None else node.maximum
            captures = ""
            if node.first_capture != node.end_capture:
                captures = f" resets {node.first_capture}..{node.end_capture - 1}"
            return f"repeat{{{node.minimum},{most}}}{lazy}({tree_text(node.body)}){captures}"
        case Sequence():
            return " ".join(tree_text(item) for item in node.items) if node.items else "empty"
        case Alternation():
            return " | ".join(tree_text(branch) for branch in node.branches)


def units_text(units: UnitSet) -> str:
    """A set as `[a-z_]`; a set of one plain unit as the unit alone."""
    if units.size == 1 and 0x30 <= units.ranges[0][0] < 0x7F and chr(units.ranges[0][0]).isalnum():
        return chr(units.ranges[0][0])
    return f"[{''.join(_shown(low) if low == high else f'{_shown(low)}-{_shown(high)}' for low, high in units.ranges)}]"


def _shown(unit: int) -> str:
    return chr(unit) if 0x20 < unit < 0x7F else f"<{unit:X}>"
