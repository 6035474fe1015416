"""Checks of frontmatter in all dialects: invalid YAML, unknown keys, duplicate keys."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix, Severity
from ttsr_ls.lint.other_dialect import foreign_keys
from ttsr_ls.lint.reporting import build_fixes, report
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

# Programs whose parsers also accept invalid YAML, which their users write: `globs: **/*.ts`.
_NO_YAML = frozenset((DialectId.CURSOR, DialectId.WINDSURF, DialectId.HOOKIFY, DialectId.GITHUB))
# Programs with a key that puts a rule into every prompt.
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
    is_repaired = dialect.id is DialectId.CLAUDE and is_readable_by_claude(file)
    # Claude Code puts quotes around the whole value, including the open quote, which matters only in a glob.
    span = _open_quote(file, dialect, FILE_KEYS.get(dialect.id) if is_repaired else None)
    if span is not None:
        message = f"The quote of this value is not closed, so {dialect.program} cannot read the frontmatter. Close it."
        if is_repaired:
            message = (
                f"The quote of this value is not closed, so {dialect.program} reads it as a part of the glob, which "
                "then matches no file. Close it."
            )
        severity = Severity.WARNING if dialect.id in _NO_YAML else None
        yield report("yaml-degraded", message, span, *_closing_fixes(file, span), severity=severity)
    elif dialect.id not in _NO_YAML and not is_repaired:
        message = f"The frontmatter is not valid YAML: {failure.reason}. {dialect.program} cannot read it."
        yield report("yaml-degraded", message, failure.span)


def _unread_by_cline(file: PlainFile, failure: FrontmatterFailure) -> Iterator[Finding]:
    """Reports `paths` in invalid frontmatter, which Cline treats as missing."""
    if file.frontmatter is None or file.frontmatter.entry("paths") is None:
        return
    message = (
        f"The frontmatter is not valid YAML: {failure.reason}. So `paths` has no effect, and Cline gives the rule to "
        "the model in every conversation."
    )
    span = _open_quote(file, CLINE, None)
    fixes = () if span is None else _closing_fixes(file, span)
    yield report("yaml-degraded", message, span or failure.span, *fixes, severity=Severity.WARNING)


def _closing_fixes(file: PlainFile, span: Span) -> tuple[Fix, ...]:
    edit = Edit(Span(span.end, span.end), file.text[span.start])
    return build_fixes("yaml-degraded", edit, title="Close the quote")


def _open_quote(file: PlainFile, dialect: Dialect, only_name: str | None) -> Span | None:
    """Returns the first value of a known key, or of the key `only_name`, with a quote that its line does not close."""
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
    """Reports keys without an effect. Guidance rules may have additional keys, so only misspellings are reported."""
    if file.frontmatter is None:
        return
    _, foreign = foreign_keys(file.frontmatter, dialect)
    effective = file.frontmatter.by_name()
    for entry in file.frontmatter.entries:
        if effective[entry.name] is not entry:
            message = f"`{entry.key}` is given again below, and only the last one counts: this value has no effect."
            yield report("duplicate-key", message, entry.key_span)
        elif dialect.find_key(entry.key) is None and entry not in foreign and not _is_permitted(entry.key, dialect):
            if normalised_key(entry.key) in WORDS_FOR_FILES and _is_in_every_prompt(file, dialect):
                continue  # The correct key would have no effect, either.
            yield from _unknown(entry, dialect, _file_key_meant(file, entry, dialect))


def _is_permitted(key: str, dialect: Dialect) -> bool:
    """Returns whether a key is metadata for readers and other tools, or a key of a fork of the program."""
    return is_metadata(key) or (dialect.id is DialectId.HOOKIFY and key in HOOKIFY_PLUS_KEYS)


def _file_key_meant(file: PlainFile, entry: Entry, dialect: Dialect) -> str | None:
    """Returns the key for the files of a rule, if the file has a synonym with globs in its place."""
    name = FILE_KEYS.get(dialect.id)
    if name is None or normalised_key(entry.key) not in WORDS_FOR_FILES or file.value(name) is not None:
        return None
    return name if any("*" in glob.value for glob in split_globs(entry.value)) else None


def _is_in_every_prompt(file: PlainFile, dialect: Dialect) -> bool:
    """Returns whether a key puts the rule into every prompt, so that its globs have no effect."""
    if dialect.id not in _WITH_ALWAYS:
        return False
    read = read_guidance(file.text, name=file.name, path=file.path, dialect=dialect)
    return read.activation is ActivationMode.ALWAYS


def normalised_key(key: str) -> str:
    """Returns a key in lower case, without hyphens and underscores."""
    return key.lower().replace("_", "").replace("-", "")


def _unknown(entry: Entry, dialect: Dialect, suggestion: str | None) -> Iterator[Finding]:
    suggestion = suggestion or nearest_word(entry.key, tuple(key.name for key in dialect.keys))
    message = f"Rules of {dialect.program} have no key `{entry.key}`, so it has no effect."
    if suggestion is not None:
        title = f"{entry_of('unknown-key').fix_title}: {suggestion}"
        fixes = build_fixes("unknown-key", Edit(entry.key_span, suggestion), title=title)
        yield report("unknown-key", f"{message} Is `{suggestion}` meant?", entry.key_span, *fixes)
    elif dialect.purpose is not Purpose.GUIDES:
        yield report("unknown-key", message, entry.key_span)
