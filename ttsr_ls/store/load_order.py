"""Which rules are loaded together with a rule file that is checked; the editor and the command line both ask here.

Only the folders of the same project count: what is in somebody's home folder must not change what a check in the
project says.
"""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.lint.context import NamedRule
from ttsr_ls.store.discovery import DiscoveredRule, rules_in

# Folders of a project in the order in which the reference agent loads them (semantics.md 1.12).
_FOLDERS = ((".omp", "native"), (".agent", "agents"), (".agents", "agents"))


def load_order_in(folder: Path) -> tuple[NamedRule, ...]:
    """The rules that are loaded with those in `folder`, first wins; their paths are written as `folder` is."""
    if folder.name != "rules" or folder.parent.name not in dict(_FOLDERS):
        return _named(rules_in(folder, "extra"))
    root = folder.parent.parent
    return tuple(rule for name, provider in _FOLDERS for rule in _named(rules_in(root / name / "rules", provider)))


def _named(found: tuple[DiscoveredRule, ...]) -> tuple[NamedRule, ...]:
    return tuple(NamedRule(rule.name, str(rule.path), rule.provider) for rule in found)
