"""The pages of the manual, and the commands of this program in them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_INTERNAL = ("spec", "sessions")
PAGES = [
    ROOT / "README.md",
    *(
        page
        for page in sorted((ROOT / "docs").rglob("*.md"))
        if page.relative_to(ROOT / "docs").parts[0] not in _INTERNAL
    ),
]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(
    r"^(?P<indent> *)(?P<fence>```+)(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=indent)(?P=fence) *$", re.M | re.S
)
_COMMAND = re.compile(r"(?:^|[|&;]|\brun: |\bentry: |- )\s*(?:\$ )?(ttsr-ls(?: [^\n]*)?)$", re.M)
_PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b…?|…")


def commands_of(page: Path) -> Iterator[str]:
    """The commands in blocks of code that a person would type or put into CI."""
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        info = (block["info"].split() or [""])[0]
        if info in ("sh", "console", "yaml", "") or "$ ttsr-ls" in block["text"]:
            yield from (match[1] for match in _COMMAND.finditer(block["text"]))


def titled_block(page: Path, title: str) -> str:
    """The text of the one block of code with this title."""
    (match,) = [
        block for block in BLOCK.finditer(page.read_text(encoding="utf-8")) if f'title="{title}"' in block["info"]
    ]
    return match["text"]


def is_template(command: str) -> bool:
    """Returns whether words in capitals stand for others."""
    return _PLACEHOLDER.search(command.split("#", maxsplit=1)[0]) is not None


def without_placeholders(command: str) -> str:
    """The command with a word for each placeholder, and without what is optional."""
    return _PLACEHOLDER.sub("x", re.sub(r"\[[^\]]*\]", "", command))


def words_of(command: str) -> list[str]:
    """The arguments, without a comment, redirections, and what a pipe leads to."""
    text = re.split(r"\s+#|\s\|\s|\s[12]?>|\s<\s|\s&&\s|   ", command)[0]
    return shlex.split(text)[1:]


def shown_matches(shown: str, output: str) -> bool:
    """Returns whether the output is what a page shows, where `…` stands for any text."""
    pattern = "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", shown.strip("\n")))
    return re.fullmatch(pattern, output.strip("\n"), re.S) is not None


EVERY = [(page, command) for page in PAGES for command in dict.fromkeys(commands_of(page))]
"""Each page and command."""
