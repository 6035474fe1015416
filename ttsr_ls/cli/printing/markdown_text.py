"""Markdown for a terminal: the little of it that pages and explanations use.

Not a Markdown parser. What it does not know is printed as written, and nothing in it reaches the terminal unprintable.
"""

from __future__ import annotations

import re

from ttsr_ls.cli.printing.terminal import Palette, Style, printable

_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_INLINE = re.compile(
    r"(?P<ticks>`+)(?P<code>.+?)(?P=ticks)(?!`)|\*\*(?P<strong>.+?)\*\*|\\(?P<escaped>[!-/:-@\[-`{-~])"
)
_PLAIN = Palette(False)


def rendered(markdown: str, palette: Palette) -> str:
    """The text with headings, code and emphasis in colours; without colours, code keeps its backticks."""
    lines: list[str] = []
    fence: str | None = None
    for line in printable(markdown).split("\n"):
        mark = _FENCE.match(line)
        if fence is not None:
            if line.strip() == fence:
                fence = None
            else:
                lines.append(f"    {line}".rstrip())
        elif mark is not None:
            fence = mark[1]
            name = mark[2].split()[-1:] or [""]
            if name[0]:
                lines.append(palette.paint(f"    {name[0]}", Style.FAINT))
        elif line.startswith("#"):
            lines.append(palette.paint(_inline(line.lstrip("# "), _PLAIN), Style.STRONG))
        else:
            lines.append(_inline(line, palette))
    return "\n".join(lines).rstrip("\n")


def _inline(line: str, palette: Palette) -> str:
    return _INLINE.sub(lambda found: _painted(found, palette), line)


def _painted(found: re.Match[str], palette: Palette) -> str:
    if found["code"] is not None and not palette.is_coloured:
        return found[0]
    if found["code"] is not None:
        # A blank that only keeps a backtick of the code apart from its mark is not the code's.
        code = found["code"]
        code = code[1:-1] if code[0] == code[-1] == " " and code.strip() else code
        return palette.paint(code, Style.HINT)
    if found["strong"] is not None:
        return palette.paint(_inline(found["strong"], _PLAIN), Style.STRONG)
    return found["escaped"]
