"""Which rules are loaded together with a rule file that is checked."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.lint.context import NamedRule
from ttsr_ls.store.surroundings import surroundings_of


def load_order_in(folder: Path) -> tuple[NamedRule, ...]:
    """The rules that are loaded with those in `folder`, first wins; their paths are written as `folder` is."""
    return surroundings_of(folder).load_order
