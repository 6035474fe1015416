"""Edits that take an item out of a list of the frontmatter, or a key with its value, and touch nothing else."""

from __future__ import annotations

from ttsr_ls.lint.finding import Edit
from ttsr_ls.syntax.rule_file import ListValue, RuleFile
from ttsr_ls.text import LineIndex, Span


def removed_item(text: str, value: ListValue, index: int) -> Edit | None:
    """Removes an item of a list; None where the list is written in a way that only its author should change."""
    item = value.items[index].span
    if text[value.span.start : value.span.start + 1] == "[":
        return _from_flow(value, index)
    return _from_block(text, item)


def removed_entry(file: RuleFile, key: Span) -> Edit | None:
    """Removes the lines of the entry whose key stands at `key`; None where it shares them with something else."""
    if file.frontmatter is None:
        return None
    lines = LineIndex(file.text)
    first = lines.position(key.start).line
    if lines.line_span(first).start != key.start:
        return None
    following = [entry.key_span.start for entry in file.frontmatter.entries if entry.key_span.start > key.start]
    end = min(following, default=file.frontmatter.content_span.end)
    last = lines.position(end).line
    if lines.line_span(last).start != end:
        last += 1
    end = lines.line_span(last).start if last < lines.line_count else len(file.text)
    return Edit(Span(key.start, min(end, _closing(file, lines))), "")


def _closing(file: RuleFile, lines: LineIndex) -> int:
    """Where the line of the closing delimiter begins."""
    assert file.frontmatter is not None
    return lines.line_span(lines.position(file.frontmatter.span.end).line).start


def _from_flow(value: ListValue, index: int) -> Edit:
    """Removes the item with the comma before it, or for the first item the comma after it."""
    items = value.items
    if index > 0:
        return Edit(Span(items[index - 1].span.end, items[index].span.end), "")
    end = items[1].span.start if len(items) > 1 else items[0].span.end
    return Edit(Span(items[0].span.start, end), "")


def _from_block(text: str, item: Span) -> Edit | None:
    """Removes the lines of a `- item`, where the dash stands on the item's first line."""
    lines = LineIndex(text)
    first, last = lines.position(item.start).line, lines.position(item.end).line
    before = text[lines.line_span(first).start : item.start].strip()
    after = text[item.end : lines.line_span(last).end].strip()
    if before != "-" or (after and not after.startswith("#")):
        return None
    end = lines.line_span(last + 1).start if last + 1 < lines.line_count else len(text)
    return Edit(Span(lines.line_span(first).start, end), "")
