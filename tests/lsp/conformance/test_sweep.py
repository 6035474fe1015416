"""Requests at sampled positions of real rule files: no error, places in the text, one meaning in all encodings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conformance.logical_answers import logical_answer
from tests.lsp.conformance.offered_requests import offered_requests
from tests.lsp.conformance.reference_text import InvalidPlaceError
from tests.lsp.conformance.sweep import sweep, swept_files
from ttsr_ls.lsp.features import REQUESTS, REQUESTS_BY_CAPABILITY

FILES = 8
POSITIONS = 6
TEXT = "😀é\nx"


async def test_answers_mean_the_same_in_all_encodings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    files = swept_files()
    assert sum(not file.name.endswith("(varied)") for file in files) >= 50
    result = await sweep(tmp_path / "swept", files[:: len(files) // FILES], POSITIONS)
    assert not result.problems
    assert result.files >= FILES
    # Whatever the server has for documents is asked for.
    assert {*REQUESTS, *REQUESTS_BY_CAPABILITY} - {"workspace/diagnostic", "workspace/willRenameFiles"} == {
        *result.requests
    }
    asked_everywhere = result.requests["textDocument/hover"]
    assert asked_everywhere > 3 * FILES * POSITIONS
    assert result.answers["textDocument/hover"] > asked_everywhere / 20
    assert result.answers["textDocument/diagnostic"] == 3 * result.files


def test_a_request_that_is_registered_is_offered() -> None:
    assert not offered_requests({"capabilities": {"hoverProvider": False}}, [{"method": "textDocument/didOpen"}])
    (request,) = offered_requests({"capabilities": {}}, [{"method": "textDocument/references"}])
    assert request.needs == {"textDocument", "position", "context"}


@pytest.mark.parametrize(
    "answer",
    [
        {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 4}},
        {"start": {"line": 1, "character": 1}, "end": {"line": 0, "character": 0}},
        [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}}],
        {"startLine": 0, "endLine": 2},
        {"data": [0, 0, 1, 0, 0]},
        {"data": [0, 0, 2, 0, 0, 0, 1, 1, 0, 0]},
        {
            "changes": {
                "file:///a": [{"range": {"start": {"line": 9, "character": 0}, "end": {"line": 9, "character": 0}}}]
            }
        },
    ],
)
def test_wrong_positions_are_found(answer: Any) -> None:
    with pytest.raises(InvalidPlaceError):
        logical_answer(answer, "file:///a", lambda uri: TEXT, "utf-16")


def test_positions_are_compared_as_offsets() -> None:
    after_both = {"utf-8": 6, "utf-16": 3, "utf-32": 2}
    for encoding, units in after_both.items():
        place = {"line": 0, "character": units}
        link = [{"targetUri": "file:///b", "targetRange": {"start": place, "end": place}, "originSelectionRange": None}]
        assert logical_answer(link, "file:///a", {"file:///b": TEXT}.get, encoding)[0]["targetRange"]["end"] == 2
        tokens = [0, 0, units, 3, 0, 1, 0, 1, 2, 1]
        found = logical_answer({"data": tokens}, "file:///a", lambda uri: TEXT, encoding)
        assert found == {"data": [[0, 2, 3, 0], [3, 4, 2, 1]]}
