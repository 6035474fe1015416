"""Converts a rule file: selects the reader and the writer, and builds the new text."""

from __future__ import annotations

import re
from typing import assert_never

from msgspec import Struct

from ttsr_ls.convert.from_guidance import from_guidance
from ttsr_ls.convert.from_hookify import from_hookify
from ttsr_ls.convert.from_omp import from_maestro, from_omp, from_omp_legacy
from ttsr_ls.convert.from_pi import from_pi
from ttsr_ls.convert.portable_rule import PortableRule, WrittenRule
from ttsr_ls.convert.to_guidance import to_guidance
from ttsr_ls.convert.to_omp import to_omp
from ttsr_ls.convert.to_pi import to_pi
from ttsr_ls.convert.writing import comment_lines, frontmatter_lines
from ttsr_ls.errors import UsageError
from ttsr_ls.syntax.dialects.table import Dialect, DialectId, Purpose
from ttsr_ls.syntax.frontmatter.plain_reader import read_plain

_LINE_END = re.compile(r"\r\n|\n|\r")

TARGETS = (
    DialectId.OMP,
    DialectId.PI_TTSR,
    DialectId.CURSOR,
    DialectId.WINDSURF,
    DialectId.CLINE,
    DialectId.GITHUB,
    DialectId.CLAUDE,
)
"""The dialects that rules can be converted to; the others can only be read."""


class Conversion(Struct, frozen=True):
    """A converted file.

    `lost` lists, in full sentences, the parts of the rule that the new text does not express. `frontmatter` is the text
    between its delimiters, each line with its end; empty if there is none.
    """

    text: str
    frontmatter: str
    lost: tuple[str, ...]


def convert(text: str, *, name: str, path: str, source: Dialect, target: Dialect) -> Conversion:
    """Returns the file in another dialect. Keeps the line comments of the frontmatter and the line ends of the file.

    Raises `ConversionError` if the target can express nothing of the rule, and `UsageError` for a target that is not
    among `TARGETS`.
    """
    if target.id not in TARGETS:
        raise UsageError(f"rules cannot be converted to {target.id}, only from it")
    rule = _write(_read(text, name=name, path=path, source=source), target)
    before = read_plain(text, name=name, path=path).frontmatter
    comments = [] if before is None else comment_lines(text[before.content_span.start : before.content_span.end])
    lines = [*comments, *frontmatter_lines(rule.entries)]
    end = _line_end(text)
    frontmatter = "".join(f"{line}{end}" for line in lines)
    body = _LINE_END.sub(end, rule.body.rstrip("\r\n"))
    block = f"---{end}{frontmatter}---{end}{end}" if lines else ""
    if not lines and body.startswith("---"):
        block = end  # Otherwise, a horizontal rule at the start of the body would open frontmatter.
    return Conversion(f"{block}{body}{end if body else ''}", frontmatter, rule.lost)


def _read(text: str, *, name: str, path: str, source: Dialect) -> PortableRule:
    match source.id:
        case DialectId.OMP:
            return from_omp(text, name=name, path=path)
        case DialectId.OMP_LEGACY:
            return from_omp_legacy(text, name=name, path=path)
        case DialectId.PI_TTSR:
            return from_pi(text, name=name, path=path)
        case DialectId.MAESTRO:
            return from_maestro(text, name=name, path=path)
        case DialectId.HOOKIFY:
            return from_hookify(text, name=name, path=path)
        case DialectId.CURSOR | DialectId.WINDSURF | DialectId.CLINE | DialectId.GITHUB | DialectId.CLAUDE:
            return from_guidance(text, name=name, path=path, dialect=source)
    assert_never(source.id)


def _write(rule: PortableRule, target: Dialect) -> WrittenRule:
    if target.id is DialectId.OMP:
        return to_omp(rule)
    if target.id is DialectId.PI_TTSR:
        return to_pi(rule)
    assert target.purpose is Purpose.GUIDES
    return to_guidance(rule, target)


def _line_end(text: str) -> str:
    match = _LINE_END.search(text)
    return "\n" if match is None else match[0]
