"""Finds lists that YAML folds into one text because their items stand further and further in (semantics.md F7)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.syntax.inspection.inspected import Inspected
from ttsr_ls.syntax.keys import Kind
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.quoting import single_quoted
from ttsr_ls.syntax.rule_file import ScalarValue

_CODE = "folded-list"
_ITEM = re.compile(r"([ \t]*)-[ \t]+(\S.*?)[ \t]*(\r?)")
_BEFORE_ITEM = re.compile(r"([ \t]*)-[ \t]+")
# What begins something else than plain text in YAML, or ends it.
_NOT_PLAIN = re.compile(r"[\[\]{}&*!|>%@`#,?\"']|.*(?:: | #|:$)")
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"[^\"\\]*\"")
_LONGEST_SHOWN = 60


def inspect_folded_lists(inspected: Inspected) -> Iterator[Problem]:
    """Reports texts that were written as several items."""
    for key, scalar in inspected.scalars():
        if Kind.STRINGS not in key.kinds or not isinstance(scalar.data, str):
            continue
        lines = inspected.written(scalar.span).split("\n")
        items = [found for line in lines[1:] if (found := _ITEM.fullmatch(line)) is not None]
        if not items or lines[0][:1] in ("'", '"', "|", ">"):
            continue
        folded = scalar.text.value
        shown = f" `{folded}`" if len(folded) <= _LONGEST_SHOWN and "`" not in folded else ""
        message = (
            f"YAML makes one text{shown} of these lines: a `-` that stands further in than the text above it begins no "
            f"item. `{key.name}` has one value here where {len(items) + 1} are meant."
        )
        replacement = _mended(inspected, scalar, lines) if len(items) == len(lines) - 1 else None
        yield Problem(_CODE, message, scalar.span, replacement)


def _mended(inspected: Inspected, scalar: ScalarValue, lines: list[str]) -> str:
    """The lines as items of one list: of that which the first belongs to, or of a new one."""
    start = scalar.span.start
    before = inspected.text[inspected.text.rfind("\n", 0, start) + 1 : start]
    first = lines[0]
    of_item = _BEFORE_ITEM.fullmatch(before)
    if of_item is not None:
        indent = of_item[1]
    else:
        found = _ITEM.fullmatch(lines[1])
        indent = "  " if found is None else found[1]
        first = f"- {first}" if not before.strip() else f"{_line_end(lines)}{indent}- {first}"
    return "\n".join([first, *(_item(line, indent) for line in lines[1:])])


def _item(line: str, indent: str) -> str:
    found = _ITEM.fullmatch(line)
    assert found is not None, "only lines that are items are mended"
    text = found[2]
    if _NOT_PLAIN.match(text) and _QUOTED.fullmatch(text) is None:
        text = single_quoted(text)
    return f"{indent}- {text}{found[3]}"


def _line_end(lines: list[str]) -> str:
    return "\r\n" if lines[0].endswith("\r") else "\n"
