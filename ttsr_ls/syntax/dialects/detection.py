"""Detects the dialect of a rule file: by its path first, then by its keys (spec X)."""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.syntax.dialects.guidance_keys import WINDSURF_TRIGGERS
from ttsr_ls.syntax.dialects.locations import CURSOR_RULES, HOOKIFY_RULES
from ttsr_ls.syntax.dialects.table import (
    CLAUDE,
    CURSOR,
    DIALECTS,
    GITHUB,
    HOOKIFY,
    OMP,
    OMP_LEGACY,
    PI_TTSR,
    WINDSURF,
    Dialect,
    DialectId,
    Purpose,
    find_dialect,
)
from ttsr_ls.syntax.hookify.keys import HOOKIFY_EVENTS
from ttsr_ls.syntax.keys import FIRING_KEYS, LEGACY_CONDITION_KEYS
from ttsr_ls.syntax.pi.keys import PI_SCOPES
from ttsr_ls.syntax.rule_file import Frontmatter, ScalarValue

_OMP_TRIGGERS = FIRING_KEYS | {"interruptMode"}
_LEGACY_TRIGGERS = frozenset(LEGACY_CONDITION_KEYS)
_PI_TELLTALES = frozenset(("flags", "maxFirings", "cooldown"))
_HOOKIFY_TELLTALES = frozenset(("pattern", "conditions", "action"))


def dialect_of(path: str, frontmatter: Frontmatter | None, configured: DialectId | None = None) -> Dialect:
    """Returns the dialect of a file: that of its location, else the `configured` one, else that of its keys, else
    that of its suffix, else omp's.

    A file with hookify's name and keys is a hookify rule in every location. In a location of guidance rules, a file
    with a trigger key of omp is a rule of omp: the program of that location ignores the key, and omp, which reads most
    of these locations too, fires by it.
    """
    by_path = dialect_of_path(path)
    if by_path is not HOOKIFY and (
        is_named_for_hookify(path) or (may_be_for_hookify(path) and has_hookify_keys(frontmatter))
    ):
        return HOOKIFY
    if by_path is not None and not (by_path.purpose is Purpose.GUIDES and has_omp_trigger(frontmatter)):
        return by_path
    if by_path is None and configured is not None and (dialect := find_dialect(configured)) is not None:
        return dialect
    # Only Cursor has a suffix of its own, which its rules keep in collections of rules to copy.
    return dialect_of_keys(frontmatter) or (CURSOR if PurePath(path).suffix == CURSOR_RULES.suffixes[0] else OMP)


def current_dialect_of(path: str, frontmatter: Frontmatter | None) -> Dialect:
    """Returns the dialect of a file for current programs: oh-my-pi reads its old key as a key of its current
    dialect.
    """
    dialect = dialect_of(path, frontmatter)
    return OMP if dialect is OMP_LEGACY else dialect


def dialect_of_path(path: str) -> Dialect | None:
    """Returns the dialect whose program reads the file at a path; None for any other file."""
    pure = PurePath(path)
    return next((dialect for dialect in DIALECTS if dialect.reads(pure)), None)


def dialect_of_keys(frontmatter: Frontmatter | None) -> Dialect | None:
    """Returns the dialect that the keys identify; None if several dialects have them."""
    if frontmatter is None:
        return None
    names = {entry.name for entry in frontmatter.entries}
    if has_omp_trigger(frontmatter):
        only_legacy = names & _LEGACY_TRIGGERS and not names & _OMP_TRIGGERS
        return OMP_LEGACY if only_legacy else OMP
    return _without_omp_trigger(names, frontmatter)


def has_omp_trigger(frontmatter: Frontmatter | None) -> bool:
    """Returns whether a file has a trigger key that only omp has."""
    return frontmatter is not None and any(
        entry.name in _OMP_TRIGGERS | _LEGACY_TRIGGERS for entry in frontmatter.entries
    )


def _without_omp_trigger(names: set[str], frontmatter: Frontmatter) -> Dialect | None:
    trigger = text_value(frontmatter, "trigger")
    if trigger in WINDSURF_TRIGGERS:
        return WINDSURF
    if trigger is not None and (names & _PI_TELLTALES or text_value(frontmatter, "scope") in PI_SCOPES):
        return PI_TTSR
    if text_value(frontmatter, "event") in HOOKIFY_EVENTS and names & _HOOKIFY_TELLTALES:
        return HOOKIFY
    if "applyTo" in names:
        return GITHUB
    return CLAUDE if "paths" in names else None


def has_hookify_keys(frontmatter: Frontmatter | None) -> bool:
    """Returns whether a file has a key for hookify's pattern or conditions, and a key for its event."""
    if frontmatter is None:
        return False
    names = {entry.name for entry in frontmatter.entries}
    return bool(names & _HOOKIFY_TELLTALES) and bool(names & {"event", "enabled"})


def is_named_for_hookify(path: str) -> bool:
    """Returns whether a file is meant for hookify by its name and folder, even if hookify does not load it."""
    pure = PurePath(path)
    name = pure.name.lower()
    is_there = pure.parts[:-1][-1:] == HOOKIFY_RULES.folders
    return is_there and name.startswith(HOOKIFY_RULES.prefix) and name.count(".") > 1


def may_be_for_hookify(path: str) -> bool:
    """Returns whether a file with keys of hookify is meant for hookify, in any folder."""
    pure = PurePath(path)
    name = pure.name.lower()
    return name.startswith(HOOKIFY.id) or (
        HOOKIFY_RULES.path in pure.parts[:-1]
        and (name.endswith(HOOKIFY_RULES.suffixes) or HOOKIFY.id in pure.parts[:-1])
    )


def text_value(frontmatter: Frontmatter, name: str) -> str | None:
    """Returns the text of a key's value; None if the value is no text."""
    entry = frontmatter.entry(name)
    if entry is None or not isinstance(entry.value, ScalarValue) or not isinstance(entry.value.data, str):
        return None
    return entry.value.data.strip()
