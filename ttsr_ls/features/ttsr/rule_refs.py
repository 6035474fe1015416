"""Finds the rules in force that the state of the rules names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.lifecycle.rule_state import RuleRef


class RuleFinder:
    """Finds rules in force by the names and paths on record; of several with one name and path, the first.

    If the project was moved since the log was written, the paths on record are those of the old folder. A rule in `cwd`
    is then found by its path relative to that folder.
    """

    __slots__ = ("_cwd", "_rules")

    def __init__(self, rules: Iterable[Rule], cwd: PurePath) -> None:
        self._rules = {RuleRef(rule.name, rule.path): rule for rule in reversed(tuple(rules))}
        self._cwd = cwd

    def find_all(self, refs: Iterable[RuleRef]) -> list[Rule]:
        """Returns the rules, without those whose files are gone since the log was written."""
        return [self._rules[ref] for ref in map(self.current, refs) if ref in self._rules]

    def current(self, ref: RuleRef) -> RuleRef:
        """Returns the name and the path that the rule has now; `ref` itself if there is no such rule."""
        if ref in self._rules:
            return ref
        same_name = (known for known in self._rules if known.name == ref.name)
        return next((known for known in same_name if self._is_moved(ref.path, known.path)), ref)

    def _is_moved(self, recorded: str, path: str) -> bool:
        """Returns whether `path`, in the project, ends as the recorded path of another folder does."""
        if not PurePath(path).is_relative_to(self._cwd):
            return False
        relative = PurePath(path).relative_to(self._cwd).parts
        return PurePath(recorded).parts[-len(relative) :] == relative
