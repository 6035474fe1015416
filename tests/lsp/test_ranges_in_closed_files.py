"""The range of a trigger in a file that is not open is in the encoding of the client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.lsp.held_session import HeldSession
from tests.lsp.logged_run import RULE, trigger
from tests.lsp.talk import make_folder
from ttsr_ls.ide.triggers.trigger_board import RunKey
from ttsr_ls.lsp.runs.trigger_view import live_trigger
from ttsr_ls.rules.stream import Excerpt
from ttsr_ls.text import Position

LINE = "const 😀é = a as any;"
COLUMN = LINE.index("as any")
WIDTHS = {
    "utf-8": lambda text: len(text.encode()),
    "utf-16": lambda text: len(text.encode("utf-16-le")) // 2,
    "utf-32": len,
}
"""By encoding, the length of a text."""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return make_folder(tmp_path)


async def range_of_match(shop: Path, encoding: str, end: Position, excerpt: Excerpt) -> Any:
    """The range to which the diagnostic of a rule links, of a match that begins in `LINE` and ends at `end`."""
    session = HeldSession(encoding)
    await session.start([shop])
    event = trigger(shop / ".omp" / "rules" / "a.md", shop / "gone.ts")
    assert event.target is not None
    target = replace(event.target, start=Position(1, COLUMN + 1), end=end, first_line=LINE)
    event = replace(event, target=target, excerpt=excerpt)
    session.server.board = session.server.board.added(RunKey(str(shop), ""), live_trigger(event, str(shop), "", 1))
    uri = session.open(shop / ".omp" / "rules" / "a.md", RULE)
    await session.settle()
    (mark,) = next(params for params in reversed(session.published) if params["uri"] == uri)["diagnostics"]
    await session.end()
    return mark["relatedInformation"][0]["location"]["range"]


@pytest.mark.parametrize("encoding", WIDTHS)
async def test_the_range_of_a_match_on_one_line_is_in_the_encoding_of_the_client(shop: Path, encoding: str) -> None:
    place = await range_of_match(shop, encoding, Position(1, len(LINE) + 1), Excerpt("a as any;", 2, 9))
    width = WIDTHS[encoding]
    assert place["start"] == {"line": 1, "character": width(LINE[:COLUMN])}
    assert place["end"] == {"line": 1, "character": width(LINE)}


@pytest.mark.parametrize("encoding", WIDTHS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
async def test_the_end_of_a_match_over_several_lines_is_in_the_encoding_of_the_client(
    shop: Path, encoding: str, line_end: str
) -> None:
    text = f"a as any;{line_end}// é😀!"
    place = await range_of_match(shop, encoding, Position(2, 7), Excerpt(text, 2, len(text)))
    assert place["start"] == {"line": 1, "character": WIDTHS[encoding](LINE[:COLUMN])}
    assert place["end"] == {"line": 2, "character": WIDTHS[encoding]("// é😀!")}


async def test_the_end_of_a_match_that_is_longer_than_its_excerpt_keeps_its_utf_16_column(shop: Path) -> None:
    text = "a as any;\n// é"
    place = await range_of_match(shop, "utf-8", Position(2, 7), Excerpt(text, 2, len(text)))
    assert place["end"] == {"line": 2, "character": 7}
