"""Checks single globs of guidance rules: extensions alone, and negations that their program does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.checks.scope.glob_forms import SUFFIXES
from ttsr_ls.lint.finding import Edit, Finding, Fix, Severity
from ttsr_ls.syntax.dialects.guidance_file import FILE_KEYS, split_globs
from ttsr_ls.syntax.dialects.table import Dialect, DialectId
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.mapped_text import MappedText

_UNMATCHABLE = "unmatchable-glob"
_NEGATION = "ineffective-negation"
_LONGER_SUFFIX = re.compile(r"\.(?:test|spec|stories|module|d)(?P<last>\.\w+)")
# Extensions that no folder is called.
_NO_FOLDERS = frozenset(("py", "ts", "tsx", "jsx", "rb", "rs", "kt", "cs", "cpp", "yml", "svelte", "vue"))
_NEGATED = re.compile(r"(?:(?<=[{,])|\A)[ \t]*(![^,}]*)")
# More extensions than omp's rules are written for. No file and no folder is called so.
_MORE_SUFFIXES = frozenset((
    ".cc", ".cjs", ".csproj", ".cshtml", ".csv", ".cts", ".cxx", ".dart", ".ex", ".exs", ".gd", ".graphql", ".hpp",
    ".ipynb", ".jl", ".kts", ".less", ".lua", ".mdx", ".mjs", ".mts", ".proto", ".ps1", ".razor", ".sass",
    ".scala", ".scss", ".sol", ".tf", ".txt", ".wsdl", ".xml", ".xsd", ".xslt", ".zig",
))  # fmt: skip
# All files below a named folder were meant, unless the text speaks of such files.
_HIDDEN = "/.*"
_HIDDEN_ONLY = re.compile(r"(?:[\w-]+/)+\*\*/\.\*")
_ABOUT_HIDDEN = re.compile(r"dot[- ]?files?|hidden|(?<!\w)\.(?:env|git|\w+rc)\b", re.IGNORECASE)
_READ_AS_PLAIN_TEXT = frozenset((DialectId.CURSOR, DialectId.WINDSURF))


def check_guidance_globs(file: PlainFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports globs that match no file as intended."""
    are_meant = _HIDDEN not in file.text or _ABOUT_HIDDEN.search(file.body.value) is not None
    for glob in split_globs(file.value(FILE_KEYS[dialect.id])):
        if (suffix := _suffix(glob.value, dialect)) is not None:
            message = f"This matches no file that ends in `{suffix}`. Write `**/*{suffix}`."
            fixes = _fix(file, dialect, glob, f"**/*{suffix}")
            yield Finding(_UNMATCHABLE, entry_of(_UNMATCHABLE).severity, message, glob.span, fixes)
        elif not are_meant and _HIDDEN_ONLY.fullmatch(glob.value):
            suggestion = f"{glob.value[:-2]}*"
            message = f"This matches only names that begin with a dot. If all files are meant, write `{suggestion}`."
            yield Finding(_UNMATCHABLE, Severity.INFO, message, glob.span, _fix(file, dialect, glob, suggestion))
        elif dialect.id is DialectId.GITHUB and (negated := _NEGATED.search(glob.value)) is not None:
            message = (
                "VS Code has no negation in `applyTo`: this part only matches paths with a `!`, and excludes nothing. "
                "Only the text of the instructions can say which files are not meant."
            )
            yield Finding(_NEGATION, entry_of(_NEGATION).severity, message, glob.source_span(*negated.span(1)))


def _suffix(glob: str, dialect: Dialect) -> str | None:
    """The extension that is all of a glob. `.eslintrc.js` is the name of a file."""
    longer = _LONGER_SUFFIX.fullmatch(glob)
    if glob in SUFFIXES or glob in _MORE_SUFFIXES or (longer is not None and longer["last"] in SUFFIXES):
        return glob
    # In Claude Code and Cline, a name without slashes may be that of a folder.
    is_name = dialect.id in (DialectId.CURSOR, DialectId.WINDSURF, DialectId.GITHUB) and glob in _NO_FOLDERS
    return f".{glob}" if is_name else None


def _fix(file: PlainFile, dialect: Dialect, glob: MappedText, suggestion: str) -> tuple[Fix, ...]:
    """Writes another glob, in quotes where YAML would take the star for an alias."""
    before, after = file.text[glob.span.start - 1 : glob.span.start], file.text[glob.span.end : glob.span.end + 1]
    source = file.text[glob.span.start : glob.span.end]
    if source != glob.value:
        return ()  # The quotes are a part of the span.
    if before in ("'", '"') or dialect.id in _READ_AS_PLAIN_TEXT:
        edit = Edit(glob.span, suggestion)
    elif before in (" ", "\t") and after in ("\n", "\r", ""):
        edit = Edit(glob.span, f"'{suggestion}'")
    else:
        return ()
    return (Fix(f"Write {suggestion}", (edit,), entry_of(_UNMATCHABLE).fix_safety),)
