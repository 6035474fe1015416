"""Matches globs of rules against the candidate paths of a tool call (spec G2).

Owns only the rule "full path or basename": `globs.glob` matches globs, `tool_paths` lists the candidates.
"""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.globs.glob import Glob


class PathGlob(Glob):
    """A trimmed glob of `globs` or of a scope token."""

    __slots__ = ()

    def matches_any(self, paths: Iterable[str]) -> bool:
        """Returns whether some candidate matches, as a whole or by its last segment alone."""
        return any(self._matches(path.replace("\\", "/")) for path in paths)

    def _matches(self, path: str) -> bool:
        if self.matches(path):
            return True
        slash = path.rfind("/")
        return slash >= 0 and self.matches(path[slash + 1 :])


def path_globs(patterns: Iterable[str]) -> tuple[PathGlob, ...]:
    """Returns the effective globs: trimmed, without blank ones (spec G1)."""
    trimmed = (pattern.strip() for pattern in patterns)
    return tuple(PathGlob(pattern) for pattern in trimmed if pattern)
