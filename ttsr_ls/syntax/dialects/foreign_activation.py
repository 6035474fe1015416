"""Decides when a guidance rule is in the prompt, and when it would be by the keys of other programs."""

from __future__ import annotations

from ttsr_ls.globs.every_file import EVERY_FILE
from ttsr_ls.syntax.dialects.detection import text_value
from ttsr_ls.syntax.dialects.guidance_file import FILE_KEYS, ActivationMode, split_globs
from ttsr_ls.syntax.dialects.guidance_keys import WINDSURF_AGENT_TRIGGER, WINDSURF_TRIGGERS
from ttsr_ls.syntax.dialects.table import Dialect, DialectId
from ttsr_ls.syntax.rule_file import Frontmatter, ScalarValue

_WORDS_FOR_TRUE = frozenset(("true", "yes", "on"))
MEANT_FOR_EVERY_FILE = EVERY_FILE | {"*.*", "**/*.*"}
"""Globs that people write for every file; `*.*` leaves out files whose names have no dot."""
_FILE_KEYS = tuple(dict.fromkeys(FILE_KEYS.values()))
_ALWAYS_WITHOUT_KEYS = frozenset((DialectId.CLINE, DialectId.CLAUDE))
_BY_DESCRIPTION = frozenset((DialectId.CURSOR, DialectId.GITHUB))
_BY_TRIGGER = dict(
    zip(
        WINDSURF_TRIGGERS,
        (ActivationMode.ALWAYS, ActivationMode.FOR_FILES, ActivationMode.ON_REQUEST, ActivationMode.MANUALLY),
        strict=True,
    )
)


def has_own_activation(frontmatter: Frontmatter, home: Dialect) -> bool:
    """Returns whether a key of the program itself says when the rule is in the prompt."""
    if home.id is DialectId.WINDSURF:
        return _trigger(frontmatter) in (*WINDSURF_TRIGGERS, WINDSURF_AGENT_TRIGGER)
    if home.id is DialectId.CURSOR and _is_always(frontmatter):
        return True
    return bool(_globs(frontmatter, FILE_KEYS[home.id]))


def activation_without_keys(frontmatter: Frontmatter, home: Dialect) -> ActivationMode:
    """Returns when the program uses a rule that has at most a description."""
    if home.id in _ALWAYS_WITHOUT_KEYS:
        return ActivationMode.ALWAYS
    is_offered = home.id in _BY_DESCRIPTION and _is_described(frontmatter)
    return ActivationMode.ON_REQUEST if is_offered else ActivationMode.MANUALLY


def intended_activation(frontmatter: Frontmatter) -> ActivationMode | None:
    """Returns when the rule would be in the prompt if the keys of all programs counted; None if no key says it."""
    by_trigger = _BY_TRIGGER.get(_trigger(frontmatter) or "")
    if by_trigger is not None:
        return by_trigger
    globs = [glob for key in _FILE_KEYS for glob in _globs(frontmatter, key)]
    if _is_always(frontmatter) or any(glob in MEANT_FOR_EVERY_FILE for glob in globs):
        return ActivationMode.ALWAYS
    if globs:
        return ActivationMode.FOR_FILES
    if _is_described(frontmatter):
        return ActivationMode.ON_REQUEST
    return ActivationMode.MANUALLY if frontmatter.entry("alwaysApply") is not None else None


def is_word_for_true(value: ScalarValue) -> bool:
    """Returns whether a value is a text that stands for `true` in some readers of YAML."""
    return isinstance(value.data, str) and value.data.strip().lower() in _WORDS_FOR_TRUE


def _globs(frontmatter: Frontmatter, key: str) -> list[str]:
    entry = frontmatter.entry(key)
    return [] if entry is None else [glob.value for glob in split_globs(entry.value)]


def _is_always(frontmatter: Frontmatter) -> bool:
    entry = frontmatter.entry("alwaysApply")
    if entry is None or not isinstance(entry.value, ScalarValue):
        return False
    return entry.value.data is True or is_word_for_true(entry.value)


def _trigger(frontmatter: Frontmatter) -> str | None:
    return text_value(frontmatter, "trigger")


def _is_described(frontmatter: Frontmatter) -> bool:
    return bool(text_value(frontmatter, "description"))
