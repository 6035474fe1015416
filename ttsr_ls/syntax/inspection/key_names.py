"""Problems of keys: unknown names, and keys that are given twice (spec K, F6, F8)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.keys import KEYS, Key, find_key
from ttsr_ls.syntax.metadata_keys import is_metadata
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import Entry, ScalarValue
from ttsr_ls.text import Span

# Wrong names of keys, apart from typing errors: plurals, words of other programs, related words.
_CONFUSED = {
    "conditions": "condition", "trigger": "condition", "triggers": "condition", "regex": "condition",
    "regexes": "condition", "regexp": "condition", "pattern": "condition", "patterns": "condition",
    "match": "condition", "matches": "condition", "when": "condition", "ttsr": "condition",
    "ast": "astCondition", "astpattern": "astCondition", "astpatterns": "astCondition", "astgrep": "astCondition",
    "astconditions": "astCondition",
    "glob": "globs", "path": "globs", "paths": "globs", "file": "globs", "files": "globs", "applyto": "globs",
    "scopes": "scope", "streams": "scope", "stream": "scope", "tools": "scope",
    "agent": "agents", "questions": "question", "judge": "question", "desc": "description", "summary": "description",
    "always": "alwaysApply", "interrupt": "interruptMode", "mode": "interruptMode", "enable": "enabled",
}  # fmt: skip
_REPEATING = "How often a rule fires is a setting, `ttsr.repeatMode` with `ttsr.repeatGap`, and the same for all rules."
# Keys that mean something to other programs with such rules, or in the settings (spec O, X).
_ELSEWHERE = {
    "flags": "Flags stand at the beginning of the pattern, as in `(?i)foo`.",
    "maxfirings": _REPEATING, "cooldown": _REPEATING, "cooldownturns": _REPEATING, "repeatmode": _REPEATING,
    "repeatgap": _REPEATING, "repeatpolicy": _REPEATING, "gapturns": _REPEATING,
    "disabled": "`enabled: false` switches a rule off.",
    "contextmode": "Whether an interrupted answer stays in the context is a setting, `ttsr.contextMode`.",
}  # fmt: skip
_SEPARATORS = re.compile(r"[-_ ]")


def inspect_keys(file: InspectedFile) -> Iterator[Problem]:
    """Reports keys without an effect."""
    effective_entries = {} if file.frontmatter is None else file.frontmatter.by_name()
    for entry in file.entries:
        effective = effective_entries[entry.name]
        if effective is not entry:
            yield _repeated(entry, effective)
        elif entry.name == "name":
            yield from _name(file, entry)
        elif find_key(entry.name) is None and not is_metadata(entry.key):
            yield _unknown(entry, effective_entries)


def suggest_key(spelling: str) -> Key | None:
    """Returns the known key that the author of an unknown key probably intended."""
    plain_text = _SEPARATORS.sub("", spelling).lower()
    for key in KEYS:
        if plain_text in (_SEPARATORS.sub("", spelling).lower() for spelling in key.spellings):
            return key
    nearest = _CONFUSED.get(plain_text) or nearest_word(spelling, tuple(key.name for key in KEYS))
    return find_key(nearest) if nearest is not None else None


def _unknown(entry: Entry, effective_entries: Mapping[str, Entry]) -> Problem:
    if not entry.key:
        return Problem("unknown-key", "A key is missing before the colon, so the value has no effect.", entry.key_span)
    nothing = f"Rules have no key `{entry.key}`, so it has no effect."
    plain_name = _SEPARATORS.sub("", entry.key).lower()
    elsewhere = _ELSEWHERE.get(plain_name)
    is_on = isinstance(entry.value, ScalarValue) and entry.value.data is True
    if plain_name == "disabled" and is_on and "enabled" not in effective_entries:
        span = Span(entry.key_span.start, entry.value.span.end)
        return Problem("unknown-key", f"{nothing} {elsewhere}", entry.key_span, "enabled: false", span)
    if elsewhere is not None:
        return Problem("unknown-key", f"{nothing} {elsewhere}", entry.key_span)
    suggestion = suggest_key(entry.key)
    if suggestion is None:
        return Problem("unknown-key", nothing, entry.key_span)
    message = f"{nothing} Is `{suggestion.name}` meant?"
    if suggestion.name in effective_entries:
        message = f"{nothing} Probably `{suggestion.name}` is meant, which this rule has as well."
    elif _SEPARATORS.sub("", entry.key).lower() == suggestion.name.lower():
        message = f"Keys are read exactly as they are spelt, so `{entry.key}` has no effect. Write `{suggestion.name}`."
    return Problem("unknown-key", message, entry.key_span, suggestion.name)


def _repeated(entry: Entry, effective: Entry) -> Problem:
    if entry.key == effective.key:
        message = f"`{entry.key}` is given again below, and only the last one counts: this value has no effect."
    else:
        message = f"`{entry.key}` and `{effective.key}` are the same key, and only `{effective.key}` counts here."
    return Problem("duplicate-key", message, entry.key_span)


def _name(file: InspectedFile, entry: Entry) -> Iterator[Problem]:
    if isinstance(entry.value, ScalarValue) and entry.value.text.value == file.name:
        return
    message = f"`name` has no effect: the file name is the rule's name, here `{file.name}`."
    yield Problem("inert-name", message, entry.key_span)
