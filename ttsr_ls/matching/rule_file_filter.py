"""Selects the rules that apply to what tools write to a file, for many files (spec Q2, S5, G1).

The answer is that of `Scope.admits` for a call of `edit` or `write` and of the rule's globs. A glob that several rules
share is matched once for each file, and most are rejected by the end of the path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from ttsr_ls.rules.path_glob import PathGlob, path_globs
from ttsr_ls.rules.rule import Rule

WRITERS = (None, "edit", "write")
"""The tools of scopes that may be about what is written to a file."""
_CHOICE = re.compile(r"\.\{(\w+(?:,\w+)+)\}\Z", re.ASCII)
_SUFFIXES = re.compile(r"\*\.(?:\w+|\{\w+(?:,\w+)+\})", re.ASCII)
"""Globs that only require a file name extension, as nearly all do. They match if the name ends with it."""
_MAX_KNOWN = 500
_SPECIAL = re.compile(r"[*?\[\]{}()!@+\\]")


def admits_writes(rule: Rule) -> bool:
    """Returns whether the scope admits what some tool writes to some file."""
    return rule.scope.any_tool or any(scope.tool in WRITERS for scope in rule.scope.tools)


class _RuleFilter(Struct, frozen=True):
    """The globs that a path must match for a rule, as indexes: one of `globs`, unless empty, and one of `scopes`,
    unless None.
    """

    rule: int
    globs: tuple[int, ...]
    scopes: tuple[int, ...] | None


class RuleFileFilter:
    """Selects rules by the path of a file. Caches its answers."""

    __slots__ = ("_filters", "_globs", "_known")

    def __init__(self, rules: Iterable[Rule]) -> None:
        numbers: dict[PathGlob, int] = {}
        filters = []
        for number, rule in enumerate(rules):
            globs = tuple(numbers.setdefault(glob, len(numbers)) for glob in path_globs(rule.globs))
            scopes = [scope for scope in rule.scope.tools if scope.tool in WRITERS]
            everywhere = rule.scope.any_tool or any(scope.glob is None for scope in scopes)
            narrowed = tuple(numbers.setdefault(scope.glob, len(numbers)) for scope in scopes if scope.glob is not None)
            if everywhere or narrowed:
                filters.append(_RuleFilter(number, globs, None if everywhere else narrowed))
        self._filters = tuple(filters)
        self._known: dict[bytes, tuple[int, ...]] = {}
        self._globs = tuple(
            (glob, name_endings(glob), _SUFFIXES.fullmatch(glob.pattern) is not None) for glob in numbers
        )

    def rules_for(self, paths: Sequence[str]) -> tuple[int, ...]:
        """Returns the indexes of the rules that apply to a file. `paths` are all forms of its path, which end alike."""
        name = paths[0].replace("\\", "/").rpartition("/")[2] if paths else ""
        matching = [
            name.endswith(endings) and (is_suffix or glob.matches_any(paths))
            for glob, endings, is_suffix in self._globs
        ]
        # Many files match the same globs.
        key = bytes(matching)
        rules = self._known.get(key)
        if rules is None:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            rules = self._known[key] = tuple(
                rule_filter.rule for rule_filter in self._filters if _admits(rule_filter, matching)
            )
        return rules


def _admits(rule_filter: _RuleFilter, matching: Sequence[bool]) -> bool:
    if rule_filter.globs and not any(matching[glob] for glob in rule_filter.globs):
        return False
    return rule_filter.scopes is None or any(matching[glob] for glob in rule_filter.scopes)


def name_endings(glob: PathGlob) -> tuple[str, ...]:
    """Returns suffixes, one of which the name of every matching file has; `""` if none are known."""
    if glob.pattern.startswith("!"):
        return ("",)
    choice = _CHOICE.search(glob.pattern)
    if choice is not None:
        return tuple(f".{item}" for item in choice[1].split(","))
    return (_SPECIAL.split(glob.pattern)[-1].rpartition("/")[2],)
