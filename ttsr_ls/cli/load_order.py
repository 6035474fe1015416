"""Which rules are loaded together with a rule file that is checked.

Only the folders of the same project count: what is in somebody's home folder must not change what a check in the
project says.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ttsr_ls.lint.context import NamedRule
from ttsr_ls.store.discovery import DiscoveredRule, rules_in

# Folders of a project in the order in which the reference agent loads them (semantics.md 1.12).
_FOLDERS = ((".omp", "native"), (".agent", "agents"), (".agents", "agents"))


def load_order_of(path: Path) -> tuple[NamedRule, ...]:
    """The rules of the project that a file belongs to, first wins; the paths are as those of `path` are written."""
    folder = path.parent
    if folder.name == "rules" and folder.parent.name in dict(_FOLDERS):
        return _project(folder.parent.parent)
    return _named(rules_in(folder, "extra"))


@cache
def _project(root: Path) -> tuple[NamedRule, ...]:
    return tuple(rule for name, provider in _FOLDERS for rule in _named(rules_in(root / name / "rules", provider)))


def _named(found: tuple[DiscoveredRule, ...]) -> tuple[NamedRule, ...]:
    return tuple(NamedRule(rule.name, str(rule.path), rule.provider) for rule in found)
