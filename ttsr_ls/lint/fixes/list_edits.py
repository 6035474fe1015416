"""Edits that remove an item of a list of the frontmatter, or a key with its value, and nothing else."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ttsr_ls.lint.finding import Edit
from ttsr_ls.syntax.rule_file import Frontmatter, ListValue, Value
from ttsr_ls.text import LineIndex, Span


def remove_list_item(lines: LineIndex, value: ListValue, index: int) -> Edit | None:
    """Returns the edit that removes an item of a list; None if the item shares its lines with other text."""
    item = value.items[index].span
    if lines.text[value.span.start : value.span.start + 1] == "[":
        return _remove_from_flow(value, index)
    return _remove_from_block(lines, item)


def append_list_items(text: str, value: Value, items: Sequence[str]) -> Edit | None:
    """Returns the edit that appends plain texts to a list; None if the form of the list is unusual."""
    if not isinstance(value, ListValue) or not value.items:
        return None
    last = value.items[-1].span
    if text.startswith("[", value.span.start):
        return Edit(Span(last.end, last.end), "".join(f", {item}" for item in items))
    start = text.rfind("\n", 0, last.start) + 1
    dash = text[start : last.start]
    if dash.strip() != "-" or "\n" in text[last.start : last.end]:
        return None
    return Edit(Span(last.end, last.end), "".join(f"\n{dash}{item}" for item in items))


def remove_entry_lines(lines: LineIndex, frontmatter: Frontmatter, key: Span) -> Edit | None:
    """Returns the edit that removes the lines of the entry whose key is at `key`; None if the entry shares a line."""
    first = lines.position(key.start).line
    if lines.line_span(first).start != key.start:
        return None
    # Entries are in the order of the text, except those of a merge key.
    after = bisect_right(frontmatter.entries, key.start, key=lambda entry: entry.key_span.start)
    end = frontmatter.content_span.end
    if after < len(frontmatter.entries):
        end = frontmatter.entries[after].key_span.start
    last = lines.position(end).line
    if lines.line_span(last).start != end:
        last += 1
    end = lines.line_span(last).start if last < lines.line_count else len(lines.text)
    closing = lines.line_span(lines.position(frontmatter.span.end).line).start
    return Edit(Span(key.start, max(key.start, min(end, closing))), "")


def _remove_from_flow(value: ListValue, index: int) -> Edit:
    """Removes the item with the comma before it, or for the first item the comma after it."""
    items = value.items
    if index > 0:
        return Edit(Span(items[index - 1].span.end, items[index].span.end), "")
    end = items[1].span.start if len(items) > 1 else items[0].span.end
    return Edit(Span(items[0].span.start, end), "")


def _remove_from_block(lines: LineIndex, item: Span) -> Edit | None:
    """Removes the lines of a `- item`; None if its first line has more than the dash before it."""
    text = lines.text
    first, last = lines.position(item.start).line, lines.position(item.end).line
    before = text[lines.line_span(first).start : item.start].strip()
    after = text[item.end : lines.line_span(last).end].strip()
    if before != "-" or (after and not after.startswith("#")):
        return None
    end = lines.line_span(last + 1).start if last + 1 < lines.line_count else len(text)
    return Edit(Span(lines.line_span(first).start, end), "")
