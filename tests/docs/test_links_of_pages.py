"""Links between the pages of the repository lead to files and headings that are there. `make docs` checks the site."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "editors").glob("*/README.md")),
]
_FENCED = re.compile(r"^ *(```+|~~~+).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)


def prose(page: Path) -> str:
    return _FENCED.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of the headings of a page, as Python-Markdown and code hosts make them for plain titles."""
    found: set[str] = set()
    for heading in _HEADING.findall(prose(page)):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        for text in (title, unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()):
            kept = re.sub(r"[^\w\s-]", "", text).strip().lower()
            found |= {re.sub(r"[\s]", "-", kept), re.sub(r"[-\s]+", "-", kept)}
    return frozenset(found)


def broken(page: Path) -> Iterator[str]:
    for to in _LINK.findall(_CODE.sub("", prose(page))):
        if ":" in to.split("/")[0]:
            continue
        path, _, anchor = to.partition("#")
        target = page if not path else (page.parent / path).resolve()
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            yield to


def test_links_lead_somewhere() -> None:
    assert len(PAGES) > 100
    assert not [(str(page.relative_to(ROOT)), link) for page in PAGES for link in broken(page)]


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "# One `two`\n\n[a](#one-two) [b](b.md) [c](#three) `[d](d.md)` [e](https://e.org)\n"
    )
    assert list(broken(tmp_path / "a.md")) == ["b.md", "#three"]
