"""Checks globs of guidance rules: bare extensions, and negations that their program does not support."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ttsr_ls.lint.checks.scope.glob_forms import SUFFIXES
from ttsr_ls.lint.finding import Edit, Finding, RelatedLocation, Severity
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.syntax.dialects.guidance_file import FILE_KEYS, split_globs
from ttsr_ls.syntax.dialects.table import Dialect, DialectId
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import ListValue

_UNMATCHABLE = "unmatchable-glob"
_MAX_RELATED = 50
_NEGATION = "ineffective-negation"
_LONGER_SUFFIX = re.compile(r"\.(?:test|spec|stories|module|d)(?P<last>\.\w+)")
# Extensions that no folder is called.
_NO_FOLDERS = frozenset(("py", "ts", "tsx", "jsx", "rb", "rs", "kt", "cs", "cpp", "yml", "svelte", "vue"))
_NEGATED = re.compile(r"(?:(?<=[{,])|\A)[ \t]*(![^,}]*)")
# Further extensions, which are no names of files or folders.
_MORE_SUFFIXES = frozenset((
    ".cc", ".cjs", ".csproj", ".cshtml", ".csv", ".cts", ".cxx", ".dart", ".ex", ".exs", ".gd", ".graphql", ".hpp",
    ".ipynb", ".jl", ".kts", ".less", ".lua", ".mdx", ".mjs", ".mts", ".proto", ".ps1", ".razor", ".sass",
    ".scala", ".scss", ".sol", ".tf", ".txt", ".wsdl", ".xml", ".xsd", ".xslt", ".zig",
))  # fmt: skip
# `folder/**/.*` probably means all files below a folder, unless the rule's text mentions hidden files.
_HIDDEN = "/.*"
_HIDDEN_ONLY = re.compile(r"(?:[\w-]+/)+\*\*/\.\*")
_ABOUT_HIDDEN = re.compile(r"dot[- ]?files?|hidden|(?<!\w)\.(?:env|git|\w+rc)\b", re.IGNORECASE)
_READ_AS_PLAIN_TEXT = frozenset((DialectId.CURSOR, DialectId.WINDSURF))
# In Claude Code and Cline, a name without slashes may be that of a folder.
_WITHOUT_FOLDERS = frozenset((DialectId.CURSOR, DialectId.WINDSURF, DialectId.GITHUB))


def check_guidance_globs(file: PlainFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports globs that match no file as intended."""
    globs = split_globs(file.value(FILE_KEYS[dialect.id]))
    yield from _extensions_alone(file, dialect, globs)
    are_meant = _HIDDEN not in file.text or _ABOUT_HIDDEN.search(file.body.value) is not None
    for glob in globs:
        if not are_meant and _HIDDEN_ONLY.fullmatch(glob.value):
            suggestion = f"{glob.value[:-2]}*"
            message = f"This matches only names that begin with a dot. If all files are meant, write `{suggestion}`."
            fixes = build_fixes(_UNMATCHABLE, _edit(file, dialect, glob, suggestion), title=f"Write {suggestion}")
            yield report(_UNMATCHABLE, message, glob.span, *fixes, severity=Severity.INFO)
    if dialect.id is DialectId.GITHUB:
        yield from _negations(globs)


def _extensions_alone(file: PlainFile, dialect: Dialect, globs: tuple[MappedText, ...]) -> Iterator[Finding]:
    """Reports all globs of a key that are only an extension, as one finding because they are one mistake."""
    suffixes = _suffixes([glob.value for glob in globs], dialect)
    alone = [(glob, suffix) for glob, suffix in zip(globs, suffixes, strict=True) if suffix is not None]
    if not alone:
        return
    (first, suffix), *others = alone
    message = f"This matches no file that ends in `{suffix}`. Write `**/*{suffix}`."
    title = f"Write **/*{suffix}"
    if others:
        more = "one more glob" if len(others) == 1 else f"{len(others)} more globs"
        message = f"This and {more} match no files with these extensions. Write `**/*{suffix}`, and so on."
        title = "Write **/* before each extension"
    edits = (_edit(file, dialect, glob, f"**/*{suffix}") for glob, suffix in alone)
    fixes = build_fixes(_UNMATCHABLE, *edits, title=title)
    related = tuple(
        RelatedLocation(f"matches no file that ends in {suffix}", glob.span) for glob, suffix in others[:_MAX_RELATED]
    )
    yield report(_UNMATCHABLE, message, first.span, *fixes, related=related)


def _negations(globs: tuple[MappedText, ...]) -> Iterator[Finding]:
    """Reports all negated parts of `applyTo` in one finding, at the first part."""
    found = [(glob, negated) for glob in globs if (negated := _NEGATED.search(glob.value)) is not None]
    if not found:
        return
    first, *others = (glob.source_span(*negated.span(1)) for glob, negated in found)
    parts = "this part matches only paths with a `!`, and excludes nothing"
    if others:
        more = "one more" if len(others) == 1 else f"{len(others)} more"
        parts = f"this part and {more} match only paths with a `!`, and exclude nothing"
    message = (
        f"VS Code has no negation in `applyTo`: {parts}. Name the files to include, or exclude files in the text of "
        "the instructions."
    )
    related = tuple(RelatedLocation("excludes nothing", span) for span in others[:_MAX_RELATED])
    yield report(_NEGATION, message, first, related=related)


def _suffixes(globs: Sequence[str], dialect: Dialect) -> list[str | None]:
    """Returns the extension for each glob that is only an extension, else None. `.eslintrc.js` is a file name."""
    suffixes = [glob if _is_suffix(glob) else None for glob in globs]
    if dialect.id not in _WITHOUT_FOLDERS:
        return suffixes
    words = [f".{glob}" in SUFFIXES or f".{glob}" in _MORE_SUFFIXES for glob in globs]
    # A single word may be the name of a folder, unless it stands among extensions.
    if any(suffixes) or (len(globs) > 1 and all(words)) or not _NO_FOLDERS.isdisjoint(globs):
        return [f".{glob}" if word else suffix for glob, word, suffix in zip(globs, words, suffixes, strict=True)]
    return suffixes


def _is_suffix(glob: str) -> bool:
    longer = _LONGER_SUFFIX.fullmatch(glob)
    return glob in SUFFIXES or glob in _MORE_SUFFIXES or (longer is not None and longer["last"] in SUFFIXES)


def _edit(file: PlainFile, dialect: Dialect, glob: MappedText, suggestion: str) -> Edit | None:
    """Returns the edit that writes another glob, in quotes if YAML would read the star as an alias. None if the span
    does not have exactly the glob.
    """
    before, after = file.text[glob.span.start - 1 : glob.span.start], file.text[glob.span.end : glob.span.end + 1]
    source = file.text[glob.span.start : glob.span.end]
    if source != glob.value:
        return None  # The quotes are a part of the span.
    value = file.value(FILE_KEYS[dialect.id])
    if isinstance(value, ListValue) and any(item.span == glob.span for item in value.items):
        return Edit(glob.span, f"'{suggestion}'")
    if before in ("'", '"') or dialect.id in _READ_AS_PLAIN_TEXT:
        return Edit(glob.span, suggestion)
    if before in (" ", "\t") and after in ("\n", "\r", ""):
        return Edit(glob.span, f"'{suggestion}'")
    return None
