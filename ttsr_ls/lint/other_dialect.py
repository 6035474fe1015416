"""Finds keys of one dialect in a file of another, and offers to convert the file (spec X)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from ttsr_ls.lint.finding import Edit, Finding, Fix, RelatedLocation, Safety
from ttsr_ls.lint.fixes.list_edits import remove_entry_lines
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.dialects.detection import text_value
from ttsr_ls.syntax.dialects.foreign_activation import (
    activation_without_keys,
    has_own_activation,
    intended_activation,
)
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode, split_globs
from ttsr_ls.syntax.dialects.guidance_keys import WINDSURF_TRIGGERS
from ttsr_ls.syntax.dialects.table import (
    CLAUDE,
    CURSOR,
    GITHUB,
    HOOKIFY,
    MAESTRO,
    OMP,
    PI_TTSR,
    WINDSURF,
    Dialect,
    DialectId,
    Purpose,
)
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.hookify.keys import HOOKIFY_EVENTS
from ttsr_ls.syntax.keys import FIRING_KEYS, LEGACY_CONDITION_KEYS
from ttsr_ls.syntax.pi.keys import PI_SCOPES
from ttsr_ls.syntax.rule_file import Entry, Frontmatter
from ttsr_ls.text import LineIndex, Span

_CODE = "other-dialect-key"
_FIRING = FIRING_KEYS.union(LEGACY_CONDITION_KEYS)
_TRIGGERS = _FIRING | {"interruptMode"}
_PI = frozenset(("flags", "maxFirings", "cooldown"))
_HOOKIFY = frozenset(("pattern", "conditions", "action", "tool_matcher"))
_FOLDABLE = re.compile(r"[ims]{1,3}")
_REPEAT = frozenset(("repeatMode", "repeatGap"))
_REPEATING = (
    "Whether rules fire again in a session is one setting for all rules, `ttsr.repeatMode` in `.omp/config.yml`."
)
_BY_OTHER_KEYS = frozenset((CURSOR.id, WINDSURF.id, GITHUB.id, CLAUDE.id))
_TRIGGER_FOR = {
    ActivationMode.ALWAYS: "Write `trigger: always_on`",
    ActivationMode.FOR_FILES: "Write `trigger: glob`, and the files in `globs`",
    ActivationMode.ON_REQUEST: "Write `trigger: model_decision`",
}
_OWN_TRIGGERS = {DialectId.OMP: _FIRING, DialectId.PI_TTSR: frozenset(("trigger",))}


def check_other_dialect(file: PlainFile, home: Dialect) -> Iterator[Finding]:
    """Reports the keys that only another dialect has, in one finding."""
    if file.frontmatter is None:
        return
    foreign, entries = foreign_keys(file.frontmatter, home)
    if foreign is None or not entries or _names_only_itself(file, entries):
        return
    listing = _listed([entry.key for entry in entries])
    plural = len(entries) > 1
    message = (
        f"{listing} {'are keys' if plural else 'is a key'} of {foreign.program}. {home.program} ignores "
        f"{'them' if plural else 'it'}{_consequence(file.frontmatter, home, foreign)}."
    )
    if foreign is MAESTRO and home is OMP:
        message = f"{message} {_REPEATING}"
    if home is CURSOR and file.path.endswith(".md"):
        message = f"{message} Cursor reads frontmatter only in `.mdc` files, so rename the file, too."
    related = tuple(RelatedLocation(f"also a key of {foreign.program}", entry.key_span) for entry in entries[1:])
    fix = _flag_group_fix(file, entries) if home is OMP else None
    fix = fix or _fix(file, home, foreign)
    fixes = () if fix is None else (fix,)
    yield report(_CODE, message, entries[0].key_span, *fixes, related=related)


def _names_only_itself(file: PlainFile, entries: tuple[Entry, ...]) -> bool:
    """Returns whether the only foreign key names the rule's own file, as metadata of rule collections does."""
    if len(entries) != 1:
        return False
    globs = split_globs(entries[0].value)
    names = {glob.value.strip("\"'[]\\ ").rsplit("/", 1)[-1] for glob in globs}
    return names == {PurePath(file.path).name}


def foreign_keys(frontmatter: Frontmatter, home: Dialect) -> tuple[Dialect | None, tuple[Entry, ...]]:
    """Returns the other dialect whose keys a file of `home` has, and their entries; none if that is unclear.

    Entries without a dialect are keys of another one that have no effect.
    """
    strange = {entry.name: entry for entry in frontmatter.entries if home.find_key(entry.key) is None}
    trigger = text_value(frontmatter, "trigger")
    scope = text_value(frontmatter, "scope")
    if trigger in WINDSURF_TRIGGERS and home is not WINDSURF:
        lost_dialect = WINDSURF if _is_lost(frontmatter, home) else None
        return lost_dialect, tuple(entry for entry in frontmatter.entries if entry.name == "trigger")
    if home is not PI_TTSR and (strange.keys() & _PI or (trigger is not None and scope in PI_SCOPES)):
        known_names = _PI | {"trigger"} | ({"scope"} if scope in PI_SCOPES else set())
        return PI_TTSR, tuple(entry for entry in frontmatter.entries if entry.name in known_names)
    if text_value(frontmatter, "event") in HOOKIFY_EVENTS and strange.keys() & _HOOKIFY:
        return HOOKIFY, tuple(entry for name, entry in strange.items() if name in _HOOKIFY | {"event"})
    if strange.keys() & _REPEAT:
        return MAESTRO, tuple(entry for name, entry in strange.items() if name in _REPEAT)
    if home is not OMP and strange.keys() & _TRIGGERS:
        return OMP, tuple(entry for name, entry in strange.items() if OMP.find_key(name) is not None)
    if home.purpose is Purpose.GUIDES:
        for dialect, names in ((CLAUDE, {"paths"}), (GITHUB, {"applyTo"}), (CURSOR, {"alwaysApply", "globs"})):
            found = tuple(entry for name, entry in strange.items() if name in names)
            if found:
                return dialect if _is_lost(frontmatter, home) else None, found
    return None, ()


def _is_lost(frontmatter: Frontmatter, home: Dialect) -> bool:
    """Returns whether the program uses the rule at other times than the keys of the other program say."""
    if home.purpose is not Purpose.GUIDES:
        return True
    if has_own_activation(frontmatter, home):
        return False
    return intended_activation(frontmatter) not in (None, activation_without_keys(frontmatter, home))


def _consequence(frontmatter: Frontmatter, home: Dialect, foreign: Dialect) -> str:
    own = _OWN_TRIGGERS.get(home.id)
    if own is None:
        return _activation(frontmatter, home, foreign) if home.purpose is Purpose.GUIDES else ""
    if any(entry.name in own for entry in frontmatter.entries):
        return ", so the rule fires without this restriction"
    return ", so the rule has no trigger"


def _activation(frontmatter: Frontmatter, home: Dialect, foreign: Dialect) -> str:
    """Describes when a guidance rule is in the prompt although the keys of another program say something else."""
    if foreign.id not in _BY_OTHER_KEYS:
        return ", and its rules never fire"
    mode = activation_without_keys(frontmatter, home)
    if mode is ActivationMode.ALWAYS:
        return ", so the rule applies without this restriction"
    if home is GITHUB:
        return (
            ", so VS Code offers these instructions only by their description"
            if mode is ActivationMode.ON_REQUEST
            else f", so VS Code does not attach these instructions automatically{_apply_to_advice(frontmatter)}"
        )
    if mode is ActivationMode.ON_REQUEST:
        return ", so the agent reads the rule only if its description fits"
    manual = "the user has to mention the rule"
    intended = intended_activation(frontmatter)
    if home is WINDSURF and intended in _TRIGGER_FOR:
        missing_name = "`trigger`" if frontmatter.entry("trigger") is None else "a valid `trigger`"
        return f", and without {missing_name}, {manual}. {_TRIGGER_FOR[intended]}"
    return f", so {manual}"


def _apply_to_advice(frontmatter: Frontmatter) -> str:
    match intended_activation(frontmatter):
        case ActivationMode.ALWAYS:
            return ". Write `applyTo: '**'`"
        case ActivationMode.FOR_FILES:
            return ". Write the globs in `applyTo`"
        case _:
            return ""


def _fix(file: PlainFile, home: Dialect, foreign: Dialect) -> Fix | None:
    """Returns the fix that converts the frontmatter, if the file has no trigger in its own dialect."""
    # Imported lazily: few files have keys of two dialects, and importing all readers and writers takes long.
    from ttsr_ls.convert.conversion import TARGETS, convert
    from ttsr_ls.convert.portable_rule import ConversionError

    frontmatter = file.frontmatter
    assert frontmatter is not None
    own = _OWN_TRIGGERS.get(home.id, frozenset(key.name for key in home.keys if key.name != "description"))
    if home.id not in TARGETS or foreign is MAESTRO:
        return None
    if any(entry.name in own and foreign.find_key(entry.key) is None for entry in frontmatter.entries):
        return None
    try:
        conversion = convert(file.text, name=file.name, path=file.path, source=foreign, target=home)
    except ConversionError:
        return None
    source = conversion.frontmatter.rstrip("\r\n")
    if not source:
        return None
    edit = Edit(frontmatter.content_span, source)
    return Fix(f"Convert the rule to the keys of {home.program}", (edit,), Safety.UNSAFE)


def _flag_group_fix(file: PlainFile, entries: tuple[Entry, ...]) -> Fix | None:
    """Returns the fix that turns the key `flags` into a flag group of the only condition."""
    assert file.frontmatter is not None
    condition, flags = file.text_value("condition"), file.text_value("flags")
    if condition is None or flags is None or len(entries) > 1 or not _FOLDABLE.fullmatch(flags.value):
        return None
    source = file.text[condition.span.start : condition.span.end]
    quote = source[:1] if source[:1] in "'\"" else ""
    removal = remove_entry_lines(LineIndex(file.text), file.frontmatter, entries[0].key_span)
    if removal is None or condition.value.startswith("(?") or source[:1] in "|>":
        return None
    position = condition.span.start + len(quote)
    group = Edit(Span(position, position), f"(?{flags.value})")
    return Fix("Put the flags at the start of the condition", (group, removal), Safety.UNSAFE)


def _listed(keys: list[str]) -> str:
    quoted = [f"`{key}`" for key in dict.fromkeys(keys)]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
