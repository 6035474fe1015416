"""What is wrong with frontmatter whatever the dialect: no YAML, keys that nobody knows, keys given twice."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix
from ttsr_ls.lint.other_dialect import foreign_keys
from ttsr_ls.syntax.dialects import Dialect, DialectId, Purpose
from ttsr_ls.syntax.metadata_keys import is_metadata
from ttsr_ls.syntax.near_miss import nearest
from ttsr_ls.syntax.plain_reader import PlainFile
from ttsr_ls.syntax.rule_file import Entry

# Their readers take what is no YAML, and their users write it: `globs: **/*.ts`.
_NO_YAML = frozenset((DialectId.CURSOR, DialectId.WINDSURF, DialectId.HOOKIFY, DialectId.GITHUB))


def check_frontmatter(file: PlainFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports frontmatter that is not YAML, for programs that read it as such."""
    if file.failure is None or dialect.id in _NO_YAML:
        return
    message = f"The frontmatter is not valid YAML: {file.failure.reason}. {dialect.program} cannot read it."
    yield Finding("yaml-degraded", entry_of("yaml-degraded").severity, message, file.failure.span)


def check_keys(file: PlainFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports keys that do nothing. Guidance may carry any keys of its own: only what looks misspelt is reported."""
    if file.frontmatter is None:
        return
    _, foreign = foreign_keys(file.frontmatter, dialect)
    counting = file.frontmatter.by_name()
    for entry in file.frontmatter.entries:
        if counting[entry.name] is not entry:
            message = f"`{entry.key}` is given again below, and only the last one counts: this value does nothing."
            yield Finding("duplicate-key", entry_of("duplicate-key").severity, message, entry.key_span)
        elif dialect.find_key(entry.key) is None and entry not in foreign and not is_metadata(entry.key):
            yield from _unknown(entry, dialect)


def _unknown(entry: Entry, dialect: Dialect) -> Iterator[Finding]:
    known = entry_of("unknown-key")
    meant = nearest(entry.key, tuple(key.name for key in dialect.keys))
    message = f"Rules of {dialect.program} have no key `{entry.key}`, so it does nothing."
    if meant is not None:
        edits = (Edit(entry.key_span, meant),)
        fix = Fix(f"{known.fix_title}: {meant}", edits, known.fix_safety)
        yield Finding(known.code, known.severity, f"{message} Is `{meant}` meant?", entry.key_span, (fix,))
    elif dialect.purpose is not Purpose.TELLS:
        yield Finding(known.code, known.severity, message, entry.key_span)
