"""A path that globs match, so that a rule for certain files can be tried without anybody naming one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ttsr_ls.rules.path_glob import path_globs

_BRACES = re.compile(r"\{([^{},]*)(?:,[^{}]*)?\}")
_CLASS = re.compile(r"\[([^\]^!-])[^\]]*\]")
# Braces within braces are resolved from the inside; nobody nests them deeper.
_MAX_DEPTH = 8


def sample_path(patterns: Sequence[str]) -> str | None:
    """A path that all of `patterns` match, made from one of them; None where none of the simple ones will do."""
    globs = path_globs(patterns)
    candidates = [_simplest(glob.pattern) for glob in globs]
    return next((path for path in candidates if all(glob.matches_any([path]) for glob in globs)), None)


def _simplest(pattern: str) -> str:
    path = pattern
    for _ in range(_MAX_DEPTH):
        path, changed = _BRACES.subn(r"\1", path)
        if not changed:
            break
    path = _CLASS.sub(r"\1", path)
    path = path.replace("**/", "").replace("**", "file").replace("*", "file").replace("?", "x")
    return path.removeprefix("!")
