"""Reads the pages of the catalogue: Markdown with an example section of bad and one of good files.

An example is a fenced block whose info string is `md`, `yaml`, `json` or `toml` and the path at which the file would
live; the examples of one section live together, so that a page can show two files that get into each other's way.
"""

from __future__ import annotations

import re

from msgspec import Struct

_FENCE = re.compile(
    r"^(?P<fence>`{3,}|~{3,})(?:md|yaml|json|toml) (?P<path>\S+)\n(?P<text>.*?)^(?P=fence)$\n?", re.M | re.S
)
_SECTION = re.compile(r"^## (?P<title>.+)$", re.M)


class Example(Struct, frozen=True):
    """A complete rule file or file of settings, and the path at which it would live."""

    path: str
    text: str


class Page(Struct, frozen=True):
    """A page: its sections by title in order, and the example files of `Bad` and of `Good`."""

    sections: tuple[tuple[str, str], ...]
    bad: tuple[Example, ...]
    good: tuple[Example, ...]


def parse_page(markdown: str) -> Page:
    """Takes a page apart. Text before the first section is left out."""
    # Headings inside of examples are not the page's: blank the fences before looking for sections.
    blanked_text = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), markdown)
    heads = list(_SECTION.finditer(blanked_text))
    sections = []
    for head, following_match in zip(heads, [*heads[1:], None], strict=True):
        end = following_match.start() if following_match else len(markdown)
        sections.append((head["title"], markdown[head.end() : end].strip("\n")))
    examples = {
        title: tuple(Example(fence["path"], fence["text"]) for fence in _FENCE.finditer(text + "\n"))
        for title, text in sections
    }
    return Page(tuple(sections), examples.get("Bad", ()), examples.get("Good", ()))
