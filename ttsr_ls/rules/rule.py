"""Rules as the engine uses them: immutable, compiled, without spans."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.scope import Scope

if TYPE_CHECKING:
    # `dialect_profile` imports this module, and most rules are not of pi-ttsr.
    from ttsr_ls.rules.dialects.dialect_profile import DialectProfile
    from ttsr_ls.rules.dialects.pi_trigger import PiTrigger


class InterruptMode(StrEnum):
    """The streams on which a match interrupts the answer (spec I1)."""

    NEVER = "never"
    PROSE_ONLY = "prose-only"
    TOOL_ONLY = "tool-only"
    ALWAYS = "always"


class Rule(Struct, frozen=True):
    """A registered rule (spec K, B).

    `path` is unique in its rule set, and so is `name`, except for rules of pi-ttsr. `profile` says how the rule is run;
    `pi` has the additional parts of a rule of pi-ttsr, None for other rules.
    """

    name: str
    path: str
    provider: str
    body: str
    description: str | None
    conditions: tuple[Condition, ...]
    ast_conditions: tuple[str, ...]
    question: str | None
    scope: Scope
    globs: tuple[str, ...]
    agents: tuple[str, ...]
    interrupt_mode: InterruptMode | None
    profile: DialectProfile
    pi: PiTrigger | None = None

    @property
    def condition_texts(self) -> tuple[str, ...]:
        """All conditions as shown to users: regular expressions, then AST conditions. A trigger's `condition` is an
        index into them.
        """
        return (*(condition.shown for condition in self.conditions), *self.ast_conditions)

    def condition_text(self, index: int) -> str:
        """Returns `condition_texts[index]` without building the tuple."""
        expressions = len(self.conditions)
        return self.conditions[index].shown if index < expressions else self.ast_conditions[index - expressions]
