"""Renders Markdown as text: the subset that pages, hovers, completions and explanations use.

Not a complete parser: unknown syntax stays as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_RULER = re.compile(r"[ \t|:-]*-{3,}[ \t|:-]*")
_INLINE = re.compile(
    r"(?s)(?P<ticks>`+)(?P<code>.+?)(?P=ticks)(?!`)|\*\*(?P<strong>.+?)\*\*|(?<![\w*])\*(?P<em>[^*\s][^*]*)\*(?![\w*])|\[(?P<linked>[^\]]+)\]\([^)]*\)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
)
# A cell of a table: escaped pipes, and those in code, do not end it.
_CELL = re.compile(r"(?:`[^`]*`|\\.|[^|\\`])+")


class MarkdownRenderer:
    """Renders Markdown without its marks. Subclasses render some elements differently."""

    def render(self, markdown: str) -> str:
        """Returns the text. Code stays as it is."""
        return "\n".join(self._lines(markdown)).strip("\n")

    def inline(self, text: str) -> str:
        """Renders the text of one block, with its inline elements."""
        return _INLINE.sub(self._shown, text)

    def heading(self, text: str) -> str:
        return self.inline(text)

    def language(self, name: str) -> str | None:
        """Returns the label above a block of code in the language `name`; None for no label."""
        return None

    def row(self, line: str) -> str | None:
        """A row of a table; None for the line that divides the head from the body."""
        if _RULER.fullmatch(line):
            return None
        return "  ".join(self.inline(cell.strip()) for cell in _CELL.findall(line) if cell.strip())

    def code(self, text: str, source: str) -> str:
        """Code in a line, which is written as `source`."""
        return text

    def strong(self, text: str) -> str:
        """A text that is stressed strongly."""
        return self.inline(text)

    def emphasis(self, text: str) -> str:
        """A text that is stressed."""
        return self.inline(text)

    def link(self, text: str, source: str) -> str:
        """A link with a text, which is written as `source`."""
        return self.inline(text)

    def _lines(self, markdown: str) -> Iterator[str]:
        fence: str | None = None
        prose: list[str] = []
        for line in (*markdown.split("\n"), ""):
            mark = _FENCE.fullmatch(line)
            if fence is None and mark is None and line.strip() and not line.startswith(("|", "#")):
                prose.append(line)
                continue
            # Marks may open on one line of a paragraph and close on another.
            if prose:
                yield self.inline("\n".join(prose))
                prose = []
            shown: str | None = None
            if fence is not None and line.strip() == fence:
                fence = None
            elif fence is not None:
                shown = f"    {line}".rstrip()
            elif mark is not None:
                fence = mark[1]
                shown = self.language((mark[2].split() or [""])[-1])
            elif line.startswith("|"):
                shown = self.row(line)
            else:
                shown = self.heading(line.lstrip("# ")) if line.startswith("#") else line.strip()
            if shown is not None:
                yield shown

    def _shown(self, match: re.Match[str]) -> str:
        if (code := match["code"]) is not None:
            # The blanks that separate a backtick at the edge of the code from the fence are not part of the code.
            return self.code(code[1:-1] if code[0] == code[-1] == " " and code.strip() else code, match[0])
        if match["strong"] is not None:
            return self.strong(match["strong"])
        if match["em"] is not None:
            return self.emphasis(match["em"])
        return self.link(match["linked"], match[0]) if match["linked"] is not None else match["escaped"]


def plain_text(markdown: str) -> str:
    """Returns the text of Markdown without its marks, for editors that show plain text only."""
    return MarkdownRenderer().render(markdown)
