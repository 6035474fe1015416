"""Checks of frontmatter in all dialects: invalid YAML, unknown keys, duplicate keys."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix, Severity
from ttsr_ls.lint.other_dialect import foreign_keys
from ttsr_ls.syntax.dialects.claude_frontmatter import is_readable_by_claude
from ttsr_ls.syntax.dialects.guidance_file import FILE_KEYS, ActivationMode, read_guidance, split_globs
from ttsr_ls.syntax.dialects.table import CLINE, Dialect, DialectId, Purpose
from ttsr_ls.syntax.frontmatter.frontmatter import FrontmatterFailure
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.hookify.keys import HOOKIFY_PLUS_KEYS
from ttsr_ls.syntax.metadata_keys import is_metadata
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import Entry, ScalarValue
from ttsr_ls.text import Span

# Their readers take what is no YAML, and their users write it: `globs: **/*.ts`.
_NO_YAML = frozenset((DialectId.CURSOR, DialectId.WINDSURF, DialectId.HOOKIFY, DialectId.GITHUB))
# They have a key that puts a rule into every prompt.
_WITH_ALWAYS = frozenset((DialectId.CURSOR, DialectId.WINDSURF))
WORDS_FOR_FILES = frozenset((
    "glob", "globs", "path", "paths", "applyto", "appliesto", "file", "files", "fileglob", "fileglobs", "filepattern",
    "filepatterns", "filematch", "include", "includes", "match", "matches", "pattern", "patterns",
))  # fmt: skip


def check_frontmatter(file: PlainFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports frontmatter that is not valid YAML, for programs that parse it as YAML."""
    failure = file.failure
    if failure is None or dialect.id is DialectId.HOOKIFY:
        return
    if dialect.id is DialectId.CLINE:
        yield from _unread_by_cline(file, failure)
        return
    catalogued = entry_of("yaml-degraded")
    is_repaired = dialect.id is DialectId.CLAUDE and is_readable_by_claude(file)
    # Claude Code puts quotes around the whole value, the open one included, which only matters in a glob.
    span = _open_quote(file, dialect, FILE_KEYS.get(dialect.id) if is_repaired else None)
    if span is not None:
        message = f"The quote of this value is not closed, so {dialect.program} cannot read the frontmatter. Close it."
        if is_repaired:
            message = (
                f"The quote of this value is not closed, so {dialect.program} takes it for a part of the glob, which "
            )
            message += "then matches no file. Close it."
        quote = file.text[span.start]
        fix = Fix("Close the quote", (Edit(Span(span.end, span.end), quote),), catalogued.fix_safety)
        severity = Severity.WARNING if dialect.id in _NO_YAML else catalogued.severity
        yield Finding("yaml-degraded", severity, message, span, (fix,))
    elif dialect.id not in _NO_YAML and not is_repaired:
        message = f"The frontmatter is not valid YAML: {failure.reason}. {dialect.program} cannot read it."
        yield Finding("yaml-degraded", catalogued.severity, message, failure.span)


def _unread_by_cline(file: PlainFile, failure: FrontmatterFailure) -> Iterator[Finding]:
    """Cline gives the model a rule with invalid frontmatter in every conversation, as one without keys."""
    if file.frontmatter is None or file.frontmatter.entry("paths") is None:
        return
    catalogued = entry_of("yaml-degraded")
    message = (
        f"The frontmatter is not valid YAML: {failure.reason}. So `paths` has no effect, and Cline gives the rule to "
        "the model in every conversation."
    )
    span = _open_quote(file, CLINE, None)
    if span is None:
        yield Finding("yaml-degraded", Severity.WARNING, message, failure.span)
        return
    edit = Edit(Span(span.end, span.end), file.text[span.start])
    fix = Fix("Close the quote", (edit,), catalogued.fix_safety)
    yield Finding("yaml-degraded", Severity.WARNING, message, span, (fix,))


def _open_quote(file: PlainFile, dialect: Dialect, only_name: str | None) -> Span | None:
    """The first value of a known key, or of the key `only_name`, that begins with a quote which its line does "
    "not close."""
    for entry in () if file.frontmatter is None else file.frontmatter.entries:
        if (
            dialect.find_key(entry.key) is None
            or only_name not in (None, entry.name)
            or not isinstance(entry.value, ScalarValue)
        ):
            continue
        start = entry.value.span.start
        source = file.text[start : entry.value.span.end].split("\n", 1)[0].rstrip()
        if source[:1] in ("'", '"') and source.count(source[0]) == 1 and len(source) > 1:
            return Span(start, start + len(source))
    return None


def check_keys(file: PlainFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports keys without an effect. Guidance rules may have additional keys: only apparent misspellings are
    reported.
    """
    if file.frontmatter is None:
        return
    _, foreign = foreign_keys(file.frontmatter, dialect)
    counting = file.frontmatter.by_name()
    for entry in file.frontmatter.entries:
        if counting[entry.name] is not entry:
            message = f"`{entry.key}` is given again below, and only the last one counts: this value has no effect."
            yield Finding("duplicate-key", entry_of("duplicate-key").severity, message, entry.key_span)
        elif dialect.find_key(entry.key) is None and entry not in foreign and not _may_be_there(entry.key, dialect):
            if normalised_key(entry.key) in WORDS_FOR_FILES and _is_always_told(file, dialect):
                continue  # The key that is meant would have no effect, either.
            yield from _unknown(entry, dialect, _file_key_meant(file, entry, dialect))


def _may_be_there(key: str, dialect: Dialect) -> bool:
    """Returns whether a key that the program does not read is for people, for other tools, or for a fork of the
    program."""
    return is_metadata(key) or (dialect.id is DialectId.HOOKIFY and key in HOOKIFY_PLUS_KEYS)


def _file_key_meant(file: PlainFile, entry: Entry, dialect: Dialect) -> str | None:
    """The key for the files of a rule, where another word for it stands with globs and the key itself does not."""
    name = FILE_KEYS.get(dialect.id)
    if name is None or normalised_key(entry.key) not in WORDS_FOR_FILES or file.value(name) is not None:
        return None
    return name if any("*" in glob.value for glob in split_globs(entry.value)) else None


def _is_always_told(file: PlainFile, dialect: Dialect) -> bool:
    """Returns whether a key says that the rule is in every prompt, whatever its files are."""
    if dialect.id not in _WITH_ALWAYS:
        return False
    read = read_guidance(file.text, name=file.name, path=file.path, dialect=dialect)
    return read.activation is ActivationMode.ALWAYS


def normalised_key(key: str) -> str:
    """Returns a key in lower case, without hyphens and underscores."""
    return key.lower().replace("_", "").replace("-", "")


def _unknown(entry: Entry, dialect: Dialect, suggestion: str | None) -> Iterator[Finding]:
    catalogue_entry = entry_of("unknown-key")
    suggestion = suggestion or nearest_word(entry.key, tuple(key.name for key in dialect.keys))
    message = f"Rules of {dialect.program} have no key `{entry.key}`, so it does nothing."
    if suggestion is not None:
        edits = (Edit(entry.key_span, suggestion),)
        fix = Fix(f"{catalogue_entry.fix_title}: {suggestion}", edits, catalogue_entry.fix_safety)
        yield Finding(
            catalogue_entry.code,
            catalogue_entry.severity,
            f"{message} Is `{suggestion}` meant?",
            entry.key_span,
            (fix,),
        )
    elif dialect.purpose is not Purpose.GUIDES:
        yield Finding(catalogue_entry.code, catalogue_entry.severity, message, entry.key_span)
