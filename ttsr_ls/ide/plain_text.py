"""Markdown as plain text, for editors that show nothing else: the little of it that hovers and completions use."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"(`{3,}|~{3,}).*")
_RULER = re.compile(r"[ \t|:-]*-{3,}[ \t|:-]*")
_INLINE = re.compile(
    r"(?s)(?P<ticks>`+)(?P<code>.+?)(?P=ticks)(?!`)|\*\*(?P<strong>.+?)\*\*|(?<![\w*])\*(?P<em>[^*\s][^*]*)\*(?![\w*])|\[(?P<linked>[^\]]+)\]\([^)]*\)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
)
# Pipes between the cells of a table, and not those that are escaped or code.
_CELL = re.compile(r"(?:`[^`]*`|\\.|[^|\\`])+")


def plain_text(markdown: str) -> str:
    """The words of a text without its marks; code and what is in blocks of code stay as they are."""
    return "\n".join(_lines(markdown)).strip("\n")


def _lines(markdown: str) -> Iterator[str]:
    fence: str | None = None
    prose: list[str] = []
    for line in markdown.split("\n"):
        mark = _FENCE.fullmatch(line)
        is_prose = fence is None and mark is None and line.strip() and not line.startswith(("|", "#"))
        if is_prose:
            prose.append(line)
            continue
        # Marks may open on one line of a paragraph and close on another.
        if prose:
            yield _inline("\n".join(prose))
            prose = []
        if fence is not None:
            if line.strip() == fence:
                fence = None
            else:
                yield f"    {line}".rstrip()
        elif mark is not None:
            fence = mark[1]
        elif line.startswith("|"):
            if _RULER.fullmatch(line) is None:
                yield "  ".join(_inline(cell.strip()) for cell in _CELL.findall(line) if cell.strip())
        else:
            yield _inline(line.lstrip("# "))
    if prose:
        yield _inline("\n".join(prose))


def _inline(line: str) -> str:
    return _INLINE.sub(_bare, line)


def _bare(found: re.Match[str]) -> str:
    if found["code"] is not None:
        code = found["code"]
        # A blank that only keeps a backtick of the code apart from its mark is not the code's.
        return code[1:-1] if code[0] == code[-1] == " " and code.strip() else code
    if found["strong"] is not None:
        return _inline(found["strong"])
    if found["em"] is not None:
        return _inline(found["em"])
    return _inline(found["linked"]) if found["linked"] is not None else found["escaped"]
