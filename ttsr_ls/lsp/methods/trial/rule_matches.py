"""`ttsr/ruleMatches`: the places in the files of the workspace that an open rule matches."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from ttsr_ls.file_uri import file_uri
from ttsr_ls.lsp.match_counts.match_count import CountedMatch, MatchCount
from ttsr_ls.lsp.server import Server


async def handle(server: Server, params: Any) -> dict[str, Any]:
    """The last count of `{uri}`, with places; an incomplete count of zero before the first count.

    Raises `JsonRpcInvalidParams`.
    """
    uri = params.get("uri") if isinstance(params, dict) else None
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("ttsr/ruleMatches takes an object with the 'uri' of an open rule")
    document = server.current.rule_document(uri)
    count = None if document is None else server.match_counts.counted(document)
    return _answer(*(count or ("", MatchCount(is_complete=False))))


def _answer(folder: str, count: MatchCount) -> dict[str, Any]:
    return {
        "matches": count.matches,
        "files": count.files,
        "isComplete": count.is_complete,
        "places": [_place(folder, place) for place in count.places],
    }


def _place(folder: str, place: CountedMatch) -> dict[str, Any]:
    start = {"line": place.line, "character": place.character}
    end = {"line": place.end_line, "character": place.end_character}
    return {"uri": file_uri(str(PurePath(folder, place.file))), "range": {"start": start, "end": end}}
