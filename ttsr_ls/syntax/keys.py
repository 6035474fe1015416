"""The one table of the frontmatter keys of a rule (spec K).

Hover, completion, the documentation and the checks for unknown keys and wrong values read it. It must not know how a
value is normalised; that is in `fields`.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from msgspec import Struct

from ttsr_ls.syntax.key_documentation import DOCUMENTATION

INTERRUPT_MODES = ("never", "prose-only", "tool-only", "always")
PATTERN_KEY = "condition"
"""The one key whose strings are regular expressions."""
LEGACY_CONDITION_KEYS = ("ttsr_trigger", "ttsrTrigger")
FIRING_KEYS = frozenset(("condition", "astCondition", "question"))
"""The keys by which a rule of oh-my-pi fires, in their current spelling."""


class Kind(StrEnum):
    """The possible kinds of a value."""

    STRING = "string"
    STRINGS = "list of strings"
    BOOLEAN = "boolean"
    NUMBER = "number"
    MAPS = "list of maps"


class Key(Struct, frozen=True):
    """A known key.

    `spellings` are all accepted spellings, `name` first. `default` describes the behaviour without the key. `values`
    are the only strings that the key accepts; None if it accepts any string.
    """

    name: str
    spellings: tuple[str, ...]
    kinds: tuple[Kind, ...]
    default: str
    values: tuple[str, ...] | None
    documentation: str


_TEXT = (Kind.STRING,)
_TEXTS = (Kind.STRING, Kind.STRINGS)
_FLAG = (Kind.BOOLEAN,)

# name, further spellings, kinds, default, values
_ROWS: tuple[tuple[str, tuple[str, ...], tuple[Kind, ...], str, tuple[str, ...] | None], ...] = (
    ("condition", (*LEGACY_CONDITION_KEYS, "ttsr-trigger"), _TEXTS, "no regular expression", None),
    ("astCondition", ("ast-condition",), _TEXTS, "no ast-grep pattern", None),
    ("question", (), _TEXT, "no question", None),
    ("scope", (), _TEXTS, "text and every tool, but not thinking", None),
    ("globs", (), _TEXTS, "every path, and streams without a path", None),
    ("interruptMode", ("interrupt-mode",), _TEXT, "the setting `ttsr.interruptMode`", INTERRUPT_MODES),
    ("agents", (), _TEXTS, "every agent", None),
    ("description", (), _TEXT, "no description", None),
    ("alwaysApply", ("always-apply",), _FLAG, "`false`", None),
    ("enabled", (), _FLAG, "`true`", None),
)

KEYS: tuple[Key, ...] = tuple(
    Key(name, (name, *row), kinds, default, values, DOCUMENTATION[name]) for name, row, kinds, default, values in _ROWS
)


def find_key(spelling: str) -> Key | None:
    """Returns the key with this spelling, which is case-sensitive (spec F8); None if the spelling is unknown."""
    return _keys_by_spelling().get(spelling)


@cache
def _keys_by_spelling() -> dict[str, Key]:
    return {spelling: key for key in KEYS for spelling in key.spellings}
