"""Fixes that remove a key or a list item, rewrite a value, or change the scope."""

from __future__ import annotations

import re

from msgspec.structs import replace

from ttsr_ls.lint.finding import Edit, Fix
from ttsr_ls.lint.fixes.list_edits import append_list_items, remove_entry_lines, remove_list_item
from ttsr_ls.lint.reporting import build_fixes
from ttsr_ls.lint.scalars import ScalarStyle, replaced_part, style_of
from ttsr_ls.syntax.rule_file import Entry, ListValue, RuleFile, ScalarValue
from ttsr_ls.text import LineIndex, Span


def remove_entry(file: RuleFile, code: str, name: str, title: str | None = None) -> tuple[Fix, ...]:
    """Removes the entry of a key."""
    entry = None if file.frontmatter is None else file.frontmatter.entry(name)
    if entry is None or file.frontmatter is None:
        return ()
    return build_fixes(code, remove_entry_lines(LineIndex(file.text), file.frontmatter, entry.key_span), title=title)


def rewrite_scalar_part(file: RuleFile, code: str, span: Span, source: str, *replacements: str) -> tuple[Fix, ...]:
    """Returns a fix for each of `replacements` that can be written in place of a part of a scalar."""
    return tuple(
        fix
        for text in replacements
        for fix in build_fixes(code, replaced_part(file, span, source, text), title=f"Write {text}")
    )


def remove_from_list(file: RuleFile, code: str, name: str, span: Span) -> tuple[Fix, ...]:
    """Removes the item at `span` from the list of a key, unless it is the only one."""
    entry = None if file.frontmatter is None else file.frontmatter.entry(name)
    if entry is None or not isinstance(entry.value, ListValue) or len(entry.value.items) < 2:
        return ()
    index = next((position for position, item in enumerate(entry.value.items) if item.span.covers(span)), None)
    return build_fixes(code, None if index is None else remove_list_item(LineIndex(file.text), entry.value, index))


def remove_scope_token(file: RuleFile, code: str, span: Span) -> tuple[Fix, ...]:
    """Removes a token of the scope, unless it is the only one."""
    entry = None if file.frontmatter is None else file.frontmatter.entry("scope")
    if entry is None:
        return ()
    title = f"Remove {file.text[span.start : span.end]} from the scope"
    if isinstance(entry.value, ListValue):
        return tuple(replace(fix, title=title) for fix in remove_from_list(file, code, "scope", span))
    before = re.compile(r"[ \t]*,[ \t]*\Z").search(file.text, entry.value.span.start, span.start)
    after = re.compile(r"[ \t]*,[ \t]*").match(file.text, span.end, entry.value.span.end)
    if before is not None:
        return build_fixes(code, Edit(Span(before.start(), span.end), ""), title=title)
    return () if after is None else build_fixes(code, Edit(Span(span.start, after.end()), ""), title=title)


def add_to_scope(file: RuleFile, code: str, tokens: str) -> tuple[Fix, ...]:
    """Adds tokens to the scope; writes the key if it is missing."""
    if file.frontmatter is None or not file.frontmatter.entries:
        return ()
    entry = file.frontmatter.entry("scope")
    title = f"Add {tokens} to the scope"
    if entry is None:
        return build_fixes(code, write_entry(file.text, file.frontmatter.entries[0], f"scope: {tokens}"), title=title)
    return build_fixes(code, _append(file, entry, tokens), title=title)


def write_entry(text: str, before: Entry, line: str) -> Edit | None:
    """Returns the edit that writes an entry on a line before another one; None if that one is indented."""
    start = before.key_span.start
    if LineIndex(text).position(start).character:
        return None
    line_end = "\r\n" if "\r\n" in text else "\n"
    return Edit(Span(start, start), f"{line}{line_end}")


def _append(file: RuleFile, entry: Entry, tokens: str) -> Edit | None:
    match entry.value:
        case ScalarValue() as scalar if scalar.data and "\n" not in file.text[scalar.span.start : scalar.span.end]:
            style = style_of(file, scalar)
            if style is ScalarStyle.BLOCK:
                return None
            position = scalar.span.end - (0 if style is ScalarStyle.PLAIN else 1)
            return Edit(Span(position, position), f", {tokens}")
        case ListValue() as value:
            return append_list_items(file.text, value, tokens.split(", "))
        case _:
            return None
