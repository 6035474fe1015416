"""Problems of globs: commas that do not separate anything (spec S2, G2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import ScalarValue, ScopeToken
from ttsr_ls.syntax.scope.repair import close_parentheses

_CODE = "comma-in-glob"
_SUFFIX = re.compile(r"\.(?:[A-Za-z]\w*|\{[\w.,-]+\})\Z")
_BLANK = re.compile(r"\s")


def inspect_globs(file: InspectedFile) -> Iterator[Problem]:
    """Reports globs that could only match a path with a comma in it, if several globs were certainly intended.

    Names of files may have commas: `*,v`, `Smith, John/*.md`.
    """
    for token in file.fields.scope:
        if token.glob is not None and len(parts := split_at_commas(token.glob.value)) > 1:
            if "(" in token.glob.value and (is_whole_glob(parts[0]) or parts[1].startswith("tool:")):
                # Another token began before this one's parenthesis was closed, whose end is now the end of both.
                message = (
                    "All of this is one glob, which only matches paths with a comma, because the parenthesis before it "
                    f"is not closed. Close it after `{parts[0]}`."
                )
                yield Problem(_CODE, message, token.glob.span, _closed(token))
                continue
            if not _are_several(parts):
                continue
            message = "The parentheses hold one glob, so this one only matches paths with a comma. Use braces."
            yield Problem(_CODE, message, token.glob.span, None if token.inferred else joined_in_braces(parts))
    for key, value in file.scalars():
        if key.name == "globs" and isinstance(value.data, str) and _are_several(parts := split_at_commas(value.data)):
            message = "A text in `globs` is one glob, so this one only matches paths with a comma. Write a list."
            yield Problem(_CODE, message, value.span, _list(file, value, parts))


def _closed(token: ScopeToken) -> str | None:
    """Returns the text between the parentheses of a token, with the inner ones closed; None if that is not certain."""
    value = token.text.value
    closed = close_parentheses(value[:-1]) if value.endswith(")") else None
    return None if closed is None else closed[closed.index("(") + 1 : -1] if closed.endswith(")") else None


def split_at_commas(glob: str) -> list[str]:
    """Returns the parts of a glob between its commas outside of braces and brackets, if none of them is empty."""
    parts = [""]
    depth = 0
    escaped = False
    for char in glob:
        if char == "," and depth == 0 and not escaped:
            parts.append("")
            continue
        if not escaped and char in "{[":
            depth += 1
        elif not escaped and char in "}]":
            depth = max(0, depth - 1)
        escaped = char == "\\" and not escaped
        parts[-1] += char
    parts = [part.strip() for part in parts]
    return parts if all(parts) else [glob]


def is_whole_glob(part: str) -> bool:
    """Returns whether a part of a glob is certainly a glob by itself: `*.ts`, `src/**`, but not the `*` of `*,v`."""
    return part.endswith("/**") or ("*" in part and _SUFFIX.search(part) is not None)


def _are_several(parts: list[str]) -> bool:
    return len(parts) > 1 and all(is_whole_glob(part) or _is_path(part) for part in parts)


def _is_path(part: str) -> bool:
    return "/" in part and "*" in part and part != "**/*" and _BLANK.search(part) is None


def joined_in_braces(parts: list[str]) -> str:
    """Returns one glob that matches what any of the parts matches: `*.{ts,tsx}`."""
    first, last = min(parts), max(parts)
    shared = 0
    while shared < min(len(first), len(last)) and first[shared] == last[shared] and first[shared] not in "{[\\":
        shared += 1
    # Words are not split: `*.{ts,tsx}` rather than `*.ts{,x}`.
    while shared and first[shared - 1].isalnum():
        shared -= 1
    return f"{first[:shared]}{{{','.join(part[shared:] for part in parts)}}}"


def _list(file: InspectedFile, value: ScalarValue, parts: list[str]) -> str | None:
    if file.frontmatter is None or any(char in part for part in parts for char in "'\n"):
        return None
    entry = file.frontmatter.entry("globs")
    quoted = ", ".join(f"'{part}'" for part in parts)
    return f"[{quoted}]" if entry is not None and entry.value is value else None
