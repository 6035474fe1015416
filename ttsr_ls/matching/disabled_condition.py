"""A condition that is not evaluated any more, and the reason."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.rules.rule import Rule


class DisabledReason(StrEnum):
    """The reason why a condition is not evaluated any more. The value is shown to users."""

    TOO_SLOW = "takes too long"
    NO_ANSWER = "takes too long, or cannot be evaluated here,"


class DisabledCondition(Struct, frozen=True):
    """A condition that exceeded its limit of time or steps, or that this installation cannot evaluate.

    `condition` is an index into the rule's `condition_texts`.
    """

    rule: Rule
    condition: int
    reason: DisabledReason = DisabledReason.TOO_SLOW
