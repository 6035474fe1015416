"""Renders Markdown for a terminal. Control characters in it are escaped."""

from __future__ import annotations

from ttsr_ls.cli.printing.terminal import Palette, TextStyle, printable
from ttsr_ls.ide.markdown_renderer import MarkdownRenderer


def render_markdown(markdown: str, palette: Palette) -> str:
    """The text with headings, code and emphasis in colours; without colours, code keeps its backticks."""
    return _TerminalRenderer(palette).render(printable(markdown))


class _TerminalRenderer(MarkdownRenderer):
    def __init__(self, palette: Palette) -> None:
        self._palette = palette

    def heading(self, text: str) -> str:
        return self._strong(text)

    def language(self, name: str) -> str | None:
        return self._palette.paint(f"    {name}", TextStyle.FAINT) if name else None

    def row(self, line: str) -> str:
        return self.inline(line)

    def code(self, text: str, source: str) -> str:
        return self._palette.paint(text, TextStyle.HINT) if self._palette.is_coloured else source

    def strong(self, text: str) -> str:
        return self._strong(text)

    def emphasis(self, text: str) -> str:
        return f"*{self.inline(text)}*"

    def link(self, text: str, source: str) -> str:
        return f"[{self.inline(text)}]{source[len(text) + 2 :]}"

    def _strong(self, text: str) -> str:
        # A colour inside of another would end it.
        return self._palette.paint(_TerminalRenderer(Palette(False)).inline(text), TextStyle.STRONG)
