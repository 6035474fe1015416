"""Hooks of MkDocs: links to files outside of `docs/` become text; pages of findings need no place in the menu."""

from __future__ import annotations

import html
import re
from pathlib import Path, PurePosixPath
from typing import Any

DOCS = (Path(__file__).parent / "docs").resolve()
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?P<to>[^)\s#]+)(?:#[^)\s]*)?\)")


_CODE = re.compile(r"(?<!`)`(?!`)([^`\n]*<![^`\n]*)`(?!`)")
"""Code that begins like a declaration of HTML: the parser of HTML that MkDocs uses raises at some of it."""


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """The text of a page without links to files of the repository that the site does not have."""
    folder = PurePosixPath(page.file.src_uri).parent

    def replaced(link: re.Match[str]) -> str:
        to = link["to"]
        if ":" in to or (DOCS / folder / to).resolve().is_relative_to(DOCS):
            return link[0]
        return link[1]

    return _CODE.sub(_as_html, _LINK.sub(replaced, markdown))


def _as_html(code: re.Match[str]) -> str:
    return f"<code>{html.escape(code[1], quote=False)}</code>"


def on_files(files: Any, *, config: Any) -> Any:
    """The files, where the pages of findings and of sessions are reached by links and not by the menu."""
    for file in files:
        if file.src_uri.startswith(("findings/", "sessions/")):
            file.inclusion = type(file.inclusion).NOT_IN_NAV
    return files
