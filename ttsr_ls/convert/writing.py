"""Renders frontmatter: entries as YAML that all readers of the dialects understand, with line comments."""

from __future__ import annotations

import json
import math
import re

from ttsr_ls.convert.portable_rule import FrontmatterEntry, UnquotedText
from ttsr_ls.syntax.frontmatter.quoting import single_quoted_if_printable
from ttsr_ls.syntax.yaml.core_schema import resolve

# Texts that YAML reads as the same text without quotes, as the value of a key and as a list item.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _./-]*[A-Za-z0-9_./]|[A-Za-z]")
_BARE = re.compile(r"[^\s#:'\"](?:[^\s#:]| (?! |\Z))*")
_HTML_COMMENT = "<!--"
_COMMENT = re.compile(r"^#[^\r\n]*", re.MULTILINE)


def frontmatter_lines(entries: tuple[FrontmatterEntry, ...]) -> list[str]:
    """Returns the lines of the entries."""
    lines: list[str] = []
    for key, value in entries:
        if isinstance(value, tuple):
            lines.append(f"{key}:")
            lines += [f"  - {quote(item)}" for item in value]
        else:
            lines.append(f"{key}: {_scalar(value)}")
    return lines


def comment_lines(metadata: str) -> list[str]:
    """Returns the lines of frontmatter that are only a comment and are not indented."""
    return _COMMENT.findall(metadata)


def quote(text: str) -> str:
    """Returns a text as YAML: plain if that is safe, else in single quotes, else in double quotes.

    Escapes the start of an HTML comment, because omp would delete everything up to the end of the next comment in the
    body.
    """
    if _HTML_COMMENT in text:
        return json.dumps(text).replace(_HTML_COMMENT, "\\x3c!--")
    if _PLAIN.fullmatch(text) and resolve(text) == text:
        return text
    return single_quoted_if_printable(text) or json.dumps(text)


def _scalar(value: str | UnquotedText | bool | float) -> str:
    match value:
        case UnquotedText():
            is_safe = _BARE.fullmatch(value.text) and _HTML_COMMENT not in value.text
            return value.text if is_safe else quote(value.text)
        case bool():
            return "true" if value else "false"
        case str():
            return quote(value)
        case _:
            return ".inf" if math.isinf(value) else f"{value:g}"
