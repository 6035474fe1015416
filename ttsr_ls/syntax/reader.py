"""Reads a rule file: from its bytes or text to a `RuleFile`. Never raises on content (spec F)."""

from __future__ import annotations

import codecs

from ttsr_ls.syntax.fields import read_fields
from ttsr_ls.syntax.frontmatter.delimiters import split_frontmatter
from ttsr_ls.syntax.frontmatter.frontmatter import read_frontmatter
from ttsr_ls.syntax.frontmatter.normalise import normalise
from ttsr_ls.syntax.inspection import inspect
from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_HEAD = 512
BYTE_ORDER_MARK = "\ufeff"


def decode(data: bytes) -> tuple[str, tuple[Problem, ...]]:
    """Returns the text of a file's bytes (spec F1): without a byte order mark, and with invalid bytes replaced and
    reported.

    Decodes UTF-8, as the agent does; only with the byte order mark of UTF-16 (little endian) it decodes that.
    """
    if data.startswith(codecs.BOM_UTF16_LE):
        return data.removeprefix(codecs.BOM_UTF16_LE).decode("utf-16-le", "replace"), ()
    text = data.decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = len(data[: error.start].decode("utf-8").removeprefix(BYTE_ORDER_MARK))
        message = (
            "From here on there are bytes that are not UTF-8. The agent reads U+FFFD in their place, so a pattern "
            "with them matches only that character. Save the file as UTF-8."
        )
        # The whole run of replacement characters, like the finding about the text, so that it is reported only once.
        end = len(text) - len(text[offset:].lstrip("\ufffd"))
        return text, (Problem("invalid-utf8", message, Span(offset, end)),)
    return text, ()


def undecoded_utf16_encoding(data: bytes) -> str | None:
    """Returns the encoding of UTF-16 text that `decode` does not decode as such: big endian, or without a byte order
    mark; else None.
    """
    if data.startswith(codecs.BOM_UTF16_LE):
        return None
    if data.startswith(codecs.BOM_UTF16_BE):
        return "UTF-16BE"
    # Keys and delimiters are ASCII, so every second byte of them is NUL in UTF-16.
    head = data[:_HEAD]
    for encoding, zeros, letters in (("UTF-16LE", head[1::2], head[::2]), ("UTF-16BE", head[::2], head[1::2])):
        if len(zeros) > 1 and 2 * zeros.count(0) > len(zeros) and 0 not in letters:
            return encoding
    return None


def is_binary(data: bytes) -> bool:
    """Returns whether the bytes are those of a binary file: without frontmatter, not UTF-16, and with a NUL."""
    has_frontmatter = data.removeprefix(codecs.BOM_UTF8).startswith(b"---")
    is_utf16 = data.startswith(codecs.BOM_UTF16_LE) or undecoded_utf16_encoding(data) is not None
    return b"\0" in data and not has_frontmatter and not is_utf16


def read_rule(text: str, *, name: str, path: str) -> RuleFile:
    """Reads the text of a rule file in the omp dialect. `name` and `path` are only copied to the result."""
    normalised = normalise(text)
    parts = split_frontmatter(normalised.text)
    frontmatter, failure = read_frontmatter(parts)
    fields = read_fields(frontmatter)
    problems = inspect(InspectedFile(name, text, normalised, frontmatter, fields, failure))
    return RuleFile(name, path, text, frontmatter, fields, parts.body, problems)
