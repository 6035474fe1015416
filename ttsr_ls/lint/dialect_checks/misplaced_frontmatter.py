"""Finds frontmatter of guidance rules that is not at the start: below comments, headings, or other frontmatter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.dialects.foreign_activation import activation_without_keys, has_own_activation
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode, GuidanceFile, read_guidance
from ttsr_ls.syntax.dialects.table import Dialect, DialectId
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.text import Span

_CODE = "frontmatter-not-recognised"
# The start of a block of keys, after comments and headings only.
_OPENING = re.compile(r"---[ \t]*\r?\n[ \t]*[\w-]+[ \t]*:")
_COMMENT_END = "-->"
_MAX_LENGTH = 4_000
# Claude Code was tested, and the published parsers of Cline and VS Code require it. The other programs are unknown.
_FRONTMATTER_COMES_FIRST = frozenset({DialectId.CLAUDE, DialectId.CLINE, DialectId.GITHUB})


def check_misplaced_frontmatter(file: PlainFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports frontmatter that the program reads as text, if its keys would make a difference."""
    if file.frontmatter is None:
        start = _skip_comments_and_headings(file.text[:_MAX_LENGTH]) if dialect.id in _FRONTMATTER_COMES_FIRST else 0
        if start and _OPENING.match(file.text, start) and _is_effective(_read(file, start, dialect), dialect):
            message = (
                f"`---` is not the first thing in the file, so {dialect.program} sees no frontmatter, and none of its "
                "keys has an effect. Move the frontmatter to the top."
            )
            yield report(_CODE, message, Span(start, start + 3), severity=Severity.WARNING)
        return
    if not file.body.value.startswith("---"):
        return
    start = file.body.source_span(0, 3).start
    if not _OPENING.match(file.text, start):
        return
    first, second = _read(file, 0, dialect), _read(file, start, dialect)
    if not _is_effective(second, dialect) or _activation(first) == _activation(second):
        return
    # The first frontmatter may be the newer one, and the second only left over.
    severity = Severity.INFO if has_own_activation(file.frontmatter, dialect) else Severity.WARNING
    message = (
        f"{dialect.program} reads only the first frontmatter: the keys of this second one are text and have no effect. "
        "Write all keys into the first."
    )
    yield report(_CODE, message, Span(start, start + 3), severity=severity)


def _skip_comments_and_headings(head: str) -> int:
    """Returns the offset of the first text that is neither a comment, a heading, nor blank; 0 if a comment is open."""
    offset = 0
    while offset < len(head):
        if head[offset].isspace() or head[offset] == "\ufeff":
            offset += 1
        elif head.startswith("<!--", offset):
            end = head.find(_COMMENT_END, offset)
            if end < 0:
                return 0
            offset = end + len(_COMMENT_END)
        elif head[offset] == "#":
            end = head.find("\n", offset)
            if end < 0:
                return 0
            offset = end
        else:
            break
    return offset if head[:offset].strip("\ufeff \t\r\n") else 0


def _read(file: PlainFile, start: int, dialect: Dialect) -> GuidanceFile:
    return read_guidance(file.text[start:], name=file.name, path=file.path, dialect=dialect)


def _is_effective(guidance: GuidanceFile, dialect: Dialect) -> bool:
    """Returns whether the keys of the frontmatter would change when the program uses the rule."""
    frontmatter = guidance.file.frontmatter
    if frontmatter is None or len(frontmatter.span) > _MAX_LENGTH:
        return False
    mode = activation_without_keys(frontmatter, dialect)
    return has_own_activation(frontmatter, dialect) or mode is ActivationMode.ON_REQUEST


def _activation(guidance: GuidanceFile) -> tuple[ActivationMode, tuple[str, ...]]:
    globs = guidance.globs if guidance.activation is ActivationMode.FOR_FILES else ()
    return guidance.activation, tuple(glob.value for glob in globs)
