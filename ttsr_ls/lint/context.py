"""What a check may know beside the rule file itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from ttsr_ls.engine.settings import Settings
from ttsr_ls.lint.selection import EVERYTHING, Selection


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule file that an agent would load: its name, its path as shown to people, and who provides it."""

    name: str
    path: str
    provider: str


@dataclass(frozen=True, slots=True)
class LintContext:
    """`load_order` holds the rules that are loaded together, first wins; it may contain the checked file itself."""

    provider: str = "native"
    load_order: tuple[NamedRule, ...] = ()
    settings: Settings = field(default_factory=Settings)
    selection: Selection = EVERYTHING
    """What the project's configuration wants to hear."""
