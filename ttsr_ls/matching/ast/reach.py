"""The languages in which the AST conditions of a rule can be evaluated, according to its scope and globs (spec A1, A3,
G1).
"""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.matching.ast.languages import language_of
from ttsr_ls.matching.rule_file_filter import WRITERS, name_endings
from ttsr_ls.rules.path_glob import PathGlob, path_globs
from ttsr_ls.rules.rule import Rule

Languages = frozenset[str]
"""Names of grammars, and values of `NoLanguage`."""


class AnyLanguage:
    """The files can have any language."""


def reachable_languages(rule: Rule) -> Languages | AnyLanguage:
    """Returns the languages of the files that a rule applies to when they are written; none if it applies to no writing
    of files.
    """
    scopes = [scope for scope in rule.scope.tools if scope.tool in WRITERS]
    open_scope = rule.scope.any_tool or any(scope.glob is None for scope in scopes)
    by_scope = None if open_scope else _languages(scope.glob for scope in scopes if scope.glob is not None)
    globs = path_globs(rule.globs)
    by_globs = _languages(globs) if globs else None
    if by_scope is None or by_globs is None:
        narrowed = by_scope if by_globs is None else by_globs
        return AnyLanguage() if narrowed is None else narrowed
    return by_scope & by_globs


def _languages(globs: Iterable[PathGlob]) -> Languages | None:
    """Returns the languages of all files that match one of the globs; None if they can have any language."""
    found = set[str]()
    for glob in globs:
        for ending in name_endings(glob):
            if "." not in ending and ending != glob.pattern.rpartition("/")[2]:
                return None
            # Without wildcards, the last segment of the glob is the whole name.
            name = ending if ending == glob.pattern.rpartition("/")[2] else f"x{ending}"
            found.add(language_of([name]))
    return frozenset(found)
