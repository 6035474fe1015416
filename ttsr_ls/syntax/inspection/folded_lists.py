"""Finds lists that YAML folds into one text: items that are indented too far, or with a mark that is no list mark (spec
F7).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.syntax.frontmatter.quoting import single_quoted
from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.keys import Key, Kind
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import ScalarValue

_CODE = "folded-list"
_ITEM = re.compile(r"([ \t]*)-[ \t]+(\S.*?)[ \t]*(\r?)")
# A list mark that YAML does not know: it requires a hyphen and a blank. `--flag` is a text.
_OTHER_MARK = re.compile(r"([ \t]*)(?:-(?![-\s])|[•–—+‣][ \t]*|\d{1,2}[.)][ \t]+)(\S.*?)[ \t]*(\r?)")
_FLAG = re.compile(r"-[A-Za-z]{1,3}(?:[ =].*)?")
_BEFORE_ITEM = re.compile(r"([ \t]*)-[ \t]+")
_INDENT = re.compile(r"[ \t]*")
# Text that is no plain scalar in YAML, or not as a whole.
_NOT_PLAIN = re.compile(r"[\[\]{}&*!|>%@`#,?\"']|.*(?:: | #|:$)")
_QUOTED = re.compile(r"'(?:[^']|'')*'|\"[^\"\\]*\"")
_BLOCK = re.compile(r"[|>][-+\d]*[ \t]*(?:#.*)?\r?")
_MAX_SHOWN_LENGTH = 60


def inspect_folded_lists(file: InspectedFile) -> Iterator[Problem]:
    """Reports texts that were written as several items, or as one item of a list."""
    for key, scalar in file.scalars():
        if Kind.STRINGS not in key.kinds or not isinstance(scalar.data, str):
            continue
        lines = file.source_text(scalar.span).rstrip("\n").split("\n")
        if lines[0][:1] in ("'", '"'):
            continue
        if _BLOCK.fullmatch(lines[0]) is not None:
            yield from _problems_in_block(key, scalar, lines)
        elif _OTHER_MARK.fullmatch(lines[0]) is not None:
            yield from _problems_of_other_marks(file, key, scalar, lines)
        else:
            yield from _problems_of_deep_items(file, key, scalar, lines)


def _problems_of_deep_items(file: InspectedFile, key: Key, scalar: ScalarValue, lines: list[str]) -> Iterator[Problem]:
    items = [match for line in lines[1:] if (match := _ITEM.fullmatch(line)) is not None]
    if items:
        message = (
            f"YAML makes one text{_shown(scalar)} of these lines: a `-` that is indented deeper than the text above it "
            f"does not begin an item. `{key.name}` has one value here where {len(items) + 1} are meant."
        )
        replacement = _fixed(file, scalar, lines) if len(items) == len(lines) - 1 else None
        yield Problem(_CODE, message, scalar.span, replacement)


def _problems_in_block(key: Key, scalar: ScalarValue, lines: list[str]) -> Iterator[Problem]:
    """Reports items in a block scalar. Not in an AST condition, which may be such code."""
    items = [line for line in lines[1:] if line.strip()]
    if key.name == "astCondition" or not items or not all(_ITEM.fullmatch(line) for line in items):
        return
    values = "one value" if len(items) == 1 else f"one value where {len(items)} are meant"
    message = (
        f"`{lines[0][0]}` makes one text of all lines below, so each `-` is a part of it: `{key.name}` has {values}. "
        f"Remove the `{lines[0][0]}`."
    )
    line_end = _line_end(lines)
    fixed_text = line_end + "\n".join(_item(line, _INDENT.match(line)[0], _ITEM) for line in items)  # type: ignore[index]
    yield Problem(_CODE, message, scalar.span, fixed_text)


def _problems_of_other_marks(file: InspectedFile, key: Key, scalar: ScalarValue, lines: list[str]) -> Iterator[Problem]:
    """Reports items such as `-foo` and `• foo`; a single one only on the line below its key."""
    start = scalar.span.start
    before = file.text[file.text.rfind("\n", 0, start) + 1 : start]
    match = _OTHER_MARK.fullmatch(lines[0])
    assert match is not None, "the first line has such a mark"
    is_below = not before.strip()
    if len(lines) == 1 and (not is_below or _FLAG.fullmatch(lines[0])):
        return
    several = f"one value where {len(lines)} are meant" if len(lines) > 1 else "a value that begins with it"
    mark = lines[0][: match.start(2)].strip()
    message = (
        f"YAML makes one text{_shown(scalar)} of this, as `{mark}` does not begin an item: `{key.name}` has {several}. "
        "Write a `-` and a blank before each item."
    )
    # A single text that begins so may be meant.
    replacement = _remarked(lines, before) if len(lines) > 1 else None
    yield Problem(_CODE, message, scalar.span, replacement)


def _remarked(lines: list[str], before: str) -> str | None:
    """Returns the lines as list items of YAML; None if a line has no mark, or if no list can begin there."""
    marks = [_OTHER_MARK if _OTHER_MARK.fullmatch(line) else _ITEM for line in lines]
    if before.strip() or not all(mark.fullmatch(line) for mark, line in zip(marks, lines, strict=True)):
        return None
    indents = ["", *[before] * (len(lines) - 1)]
    return "\n".join(_item(*item) for item in zip(lines, indents, marks, strict=True))


def _shown(scalar: ScalarValue) -> str:
    value = scalar.text.value
    return f" `{value}`" if len(value) <= _MAX_SHOWN_LENGTH and "`" not in value and value.isprintable() else ""


def _fixed(file: InspectedFile, scalar: ScalarValue, lines: list[str]) -> str:
    """Returns the lines as items of one list: that of the first line, or a new one."""
    start = scalar.span.start
    before = file.text[file.text.rfind("\n", 0, start) + 1 : start]
    first = lines[0]
    of_item = _BEFORE_ITEM.fullmatch(before)
    if of_item is not None:
        indent = of_item[1]
    else:
        match = _ITEM.fullmatch(lines[1])
        indent = "  " if match is None else match[1]
        # A first line below its key has the indentation of the list.
        indent = indent if before.strip() else before
        first = f"- {first}" if not before.strip() else f"{_line_end(lines)}{indent}- {first}"
    return "\n".join([first, *(_item(line, indent, _ITEM) for line in lines[1:])])


def _item(line: str, indent: str, mark: re.Pattern[str]) -> str:
    match = mark.fullmatch(line)
    assert match is not None, "only lines that are items are fixed"
    text = match[2]
    if _NOT_PLAIN.match(text) and _QUOTED.fullmatch(text) is None:
        text = single_quoted(text)
    return f"{indent}- {text}{match[3]}"


def _line_end(lines: list[str]) -> str:
    return "\r\n" if lines[0].endswith("\r") else "\n"
