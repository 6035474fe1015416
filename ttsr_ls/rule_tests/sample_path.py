"""Generates a path that globs match, so that a rule for certain files can be tested without a given path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath

from ttsr_ls.rules.path_glob import PathGlob, path_globs
from ttsr_ls.rules.rule import Rule

_BRACES = re.compile(r"\{([^{},]*(?:,[^{},]*)*)\}")
_CLASS = re.compile(r"\[([^\]^!-])[^\]]*\]")
# Rules name a few endings and folders. The limits bound the work for hostile globs.
_MAX_ALTERNATIVES = 8
_MAX_GLOBS = 16
_MAX_CANDIDATES = 128


def sample_path(scope_glob: str | None, globs: Sequence[str]) -> str | None:
    """Returns a path that the glob of a scope token and one of the rule's `globs` match, as far as there are any.

    The path is generated from the globs. None if no generated path matches, or if there is no glob.
    """
    scope = path_globs(() if scope_glob is None else (scope_glob,))
    others = path_globs(globs)[:_MAX_GLOBS]
    return next(
        (
            path
            for path in islice(_candidates(scope, others), _MAX_CANDIDATES)
            if all(glob.matches_any([path]) for glob in scope)
            and (not others or any(glob.matches_any([path]) for glob in others))
        ),
        None,
    )


def has_no_sample_path(rule: Rule, tool: str | None) -> bool:
    """Returns whether both `scope` and `globs` restrict the calls of a tool to files, and no path for both is found."""
    tokens = [token for token in rule.scope.tools if token.tool in (None, (tool or "").strip().lower())]
    if rule.scope.any_tool or not tokens or not path_globs(rule.globs) or any(token.glob is None for token in tokens):
        return False
    return all(sample_path(token.glob.pattern, rule.globs) is None for token in tokens if token.glob is not None)


def _candidates(scope: Sequence[PathGlob], others: Sequence[PathGlob]) -> Iterator[str]:
    """Yields the simplest paths of each glob, then combinations of folders and names of different globs."""
    of_scope = [path for glob in scope for path in _simplest(glob.pattern)]
    of_others = [path for glob in others for path in _simplest(glob.pattern)]
    yield from of_scope
    yield from of_others
    pairs = [(PurePosixPath(one), PurePosixPath(other)) for one in of_scope for other in of_others]
    for one, other in pairs:
        yield str(other.parent / one.name)
        yield str(one.parent / other.name)
    for one, other in pairs:
        for folder in (one.parent, other.parent, one.parent / other.parent, other.parent / one.parent):
            for name in (one.name, other.name, f"{one.stem}{other.suffix}", f"{other.stem}{one.suffix}"):
                yield str(folder / name)


def _simplest(pattern: str) -> list[str]:
    """Returns paths that a glob probably matches, one for each alternative of its braces."""
    return list(dict.fromkeys(_without_wildcards(text) for text in islice(_alternatives(pattern), _MAX_ALTERNATIVES)))


def _alternatives(pattern: str) -> Iterator[str]:
    # Nested braces are expanded from the inside. The first alternatives come first.
    pending = [pattern]
    while pending:
        text = pending.pop()
        braces = _BRACES.search(text)
        if braces is None:
            yield text
            continue
        parts = braces[1].split(",")[:_MAX_ALTERNATIVES]
        pending += [text[: braces.start()] + part + text[braces.end() :] for part in reversed(parts)]


def _without_wildcards(pattern: str) -> str:
    path = _CLASS.sub(r"\1", pattern)
    path = path.replace("**/", "").replace("**", "file").replace("*", "file").replace("?", "x")
    return path.removeprefix("!")
