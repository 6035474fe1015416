"""Places are right in every encoding, beyond the basic plane, and whatever ends a line or only looks as if it did."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.talk import Starter, Talk, place

pytestmark = pytest.mark.asyncio(loop_scope="module")

EMOJI = "---\ndescription: '😀é'\ncondition: '😀é('\n---\nbody\n"


@pytest.mark.parametrize(
    ("editor", "encoding", "expected"),
    [
        # The parenthesis stands after a quote, an emoji and an é: 1 + 4 + 2 bytes, 1 + 2 + 1 units.
        ("neovim", types.PositionEncodingKind.Utf8, (2, 18, 2, 19)),
        ("vscode", types.PositionEncodingKind.Utf16, (2, 15, 2, 16)),
    ],
)
@pytest.mark.asyncio(loop_scope="function")
async def test_ranges_are_in_the_negotiated_encoding(
    start: Starter, editor: str, encoding: types.PositionEncodingKind, expected: tuple[int, int, int, int]
) -> None:
    talk = await start(editor)
    assert talk.initialized is not None
    assert talk.initialized.capabilities.position_encoding == encoding
    found = {found.code: found for found in (await talk.pull(talk.open("a.md", EMOJI))).items}
    assert place(found["regex-does-not-compile"].range) == expected


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["plain", "a\u2028b", "a\u0085b\u000bc\u000cd", "😀\ud83d"])
async def test_only_line_ends_of_the_protocol_end_lines(shared: Talk, line_end: str, before: str) -> None:
    text = line_end.join(["---", "condition: 'x'", f"description: '{before}'", "conditon: x", "---", "body", ""])
    # A lone surrogate cannot come over a wire in UTF-8 but as an escape, which is how a client would send it.
    found = {found.code: found for found in (await shared.pull(shared.open("a.md", text))).items}
    assert place(found["unknown-key"].range) == (3, 0, 3, 8)


async def test_a_position_inside_of_a_surrogate_pair_is_that_of_its_character(shared: Talk) -> None:
    uri = shared.open("a.md", "---\ncondition: '😀'\n---\nbody\n")
    for character in (12, 13, 14):
        hover = await shared.hover(uri, 1, character)
        assert hover is not None
        assert hover.range is not None
        assert place(hover.range)[0] == 1


@pytest.mark.parametrize(("line", "character"), [(99, 0), (0, 99), (2**31 - 1, 2**31 - 1)])
async def test_a_position_outside_of_the_text_is_no_error(shared: Talk, line: int, character: int) -> None:
    uri = shared.open("a.md", EMOJI)
    assert await shared.hover(uri, line, character) is None
