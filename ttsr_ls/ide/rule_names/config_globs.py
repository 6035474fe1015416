"""The globs for rule files in a project's configuration: those of `exclude`, and of the `paths` of an override."""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.lint.config.config_table import TABLE
from ttsr_ls.lint.config.keys import EXCLUDE, OVERRIDES, PATHS
from ttsr_ls.rules.path_glob import PathGlob
from ttsr_ls.syntax.toml.toml_parser import parse_toml
from ttsr_ls.syntax.toml.toml_tree import TomlPath
from ttsr_ls.text import Span

_SPECIAL = re.compile(r"[*?\[\]{}!\\]")
_QUOTES = ('"', "'")


class ConfigGlob(Struct, frozen=True):
    """A glob of a configuration; `span` is its text without the quotes."""

    text: str
    span: Span

    def matches(self, path: str) -> bool:
        """Returns whether it matches a path, which is relative to the folder of the configuration."""
        return PathGlob(self.text).matches_any((path,))

    @property
    def is_plain(self) -> bool:
        """True if it matches one path only, because it has no wildcard."""
        return _SPECIAL.search(self.text) is None


def config_globs(text: str, *, is_shared: bool) -> tuple[ConfigGlob, ...]:
    """The globs in a text. `is_shared`: other tools have tables in the file."""
    root = TABLE if is_shared else ()
    globs = []
    for node in parse_toml(text).nodes:
        if node.path[: len(root)] == root and _is_glob(node.path[len(root) :]):
            source = text[node.span.start : node.span.end]
            inner = Span(node.span.start + 1, node.span.end - 1)
            # Strings with escapes are skipped: their offsets differ from those in the file.
            if source[:1] in _QUOTES and source[:1] == source[-1:] and "\\" not in source and len(inner) > 0:
                globs.append(ConfigGlob(text[inner.start : inner.end], inner))
    return tuple(globs)


def _is_glob(path: TomlPath) -> bool:
    match path:
        case (EXCLUDE.name, int()) | (OVERRIDES.name, int(), PATHS.name, int()):
            return True
    return False
