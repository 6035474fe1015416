"""Events without the texts of a conversation: kinds, sizes, names of rules and tools, ids, and offsets stay.

Fields that keep their text are listed, so a field that is added later is redacted until it is listed.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields

from ttsr_ls.rules.stream import Excerpt
from ttsr_ls.session.history.turn_events import RuleTriggered, TurnEvent

_Value = TypeVar("_Value")

_KEPT = frozenset(
    (
        *("turn", "agent", "rule", "rules", "rule_path", "rule_paths", "condition", "provider", "call", "tool"),
        *("model", "id", "feature", "denied_by", "stream", "matching", "media_type", "result_type"),
    )
)
"""Names of fields that hold no text of a conversation, in all events."""

_KEPT_IN = frozenset(
    (
        *(("RuleInForce", "name"), ("RuleInForce", "path"), ("RuleProblem", "path"), ("RuleProblem", "reason")),
        *(("RuleChanges", name) for name in ("added", "changed", "removed", "warnings")),
        *(("RequestNotInspected", "reason"), ("TurnCancelled", "reason"), ("CallAbandoned", "reason")),
    )
)
"""Fields of single events that hold no text of a conversation, because only this program writes them."""


def without_content(event: TurnEvent) -> TurnEvent:
    """Returns the event with each text replaced by its size, and without the file names of triggers."""
    if isinstance(event, RuleTriggered):
        event = RuleTriggered(
            **{
                **{field.name: getattr(event, field.name) for field in fields(event)},
                "target": None,
                "excerpt": Excerpt("", 0, 0),
            }
        )
    return _without(event)


def _without(value: _Value) -> _Value:
    if isinstance(value, Struct):
        found = {field.name: _field(value, field.name) for field in fields(value)}
        return type(value)(**found)
    if isinstance(value, tuple):
        return tuple(_without(item) for item in value)  # type: ignore[return-value]
    if isinstance(value, str) and not isinstance(value, Enum):
        return f"[{len(value)} characters]" if value else ""  # type: ignore[return-value]
    return value


def _field(value: Struct, name: str) -> Any:
    found = getattr(value, name)
    is_kept = name in _KEPT or (type(value).__name__, name) in _KEPT_IN
    return found if is_kept else _without(found)
