"""Answers of a server with offsets instead of positions, so that those in different encodings can be compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.lsp.conformance.reference_text import InvalidPlaceError, lines, offset_of

TextOf = Callable[[str], str | None]
"""Gives the text of the document at a URI, or None."""

_POSITION = {"line", "character"}
_RANGE = ("start", "end")


def logical_answer(value: Any, uri: str, text_of: TextOf, encoding: str) -> Any:
    """`value` with the offset for each position in it; positions without a document of their own are in that at `uri`.

    Raises InvalidPlaceError for a position outside of its document, and for a range that ends before it starts.
    """
    return _Conversion(text_of, encoding).convert(value, uri)


class _Conversion:
    def __init__(self, text_of: TextOf, encoding: str) -> None:
        self._text_of = text_of
        self._encoding = encoding

    def convert(self, value: Any, uri: str) -> Any:
        if isinstance(value, list):
            return [self.convert(item, uri) for item in value]
        if not isinstance(value, dict):
            return value
        if value.keys() == _POSITION:
            return self._offset(value, uri)
        if "startLine" in value:
            return self._folding_range(value, uri)
        if isinstance(value.get("data"), list) and all(isinstance(item, int) for item in value["data"]):
            return {**value, "data": self._tokens(value["data"], uri)}
        converted = {key: self.convert(item, self._uri_of(key, value, uri)) for key, item in value.items()}
        ends = [converted[side] for side in _RANGE] if value.keys() == {*_RANGE} else []
        if all(isinstance(end, int) for end in ends) and ends != sorted(ends):
            raise InvalidPlaceError(f"a range ends before it starts: {value}")
        return converted

    def _uri_of(self, key: str, value: dict[str, Any], uri: str) -> str:
        """The document that the positions in a property of an object are in."""
        if "targetUri" in value and key != "originSelectionRange":
            return str(value["targetUri"])
        if key.startswith("file:"):  # `changes` of an edit of the workspace.
            return key
        document = value.get("textDocument")
        if isinstance(document, dict) and "uri" in document:
            return str(document["uri"])
        return str(value["uri"]) if isinstance(value.get("uri"), str) else uri

    def _offset(self, position: dict[str, int], uri: str) -> Any:
        text = self._text_of(uri)
        return position if text is None else offset_of(text, position, self._encoding)

    def _folding_range(self, value: dict[str, Any], uri: str) -> dict[str, Any]:
        text = self._text_of(uri) or ""
        if not 0 <= value["startLine"] <= value["endLine"] < len(lines(text)):
            raise InvalidPlaceError(f"a folding range is not in the text: {value}")
        offsets = {
            side: offset_of(
                text, {"line": value[f"{side}Line"], "character": value[f"{side}Character"]}, self._encoding
            )
            for side in _RANGE
            if f"{side}Character" in value
        }
        return {**{key: item for key, item in value.items() if not key.endswith("Character")}, **offsets}

    def _tokens(self, data: list[int], uri: str) -> list[Any]:
        """Semantic tokens, each with its start and end as offsets."""
        text = self._text_of(uri) or ""
        found, line, character, last = [], 0, 0, 0
        for position in range(0, len(data), 5):
            down, right, length, kind, modifiers = data[position : position + 5]
            line, character = (line + down, right) if down else (line, character + right)
            start, end = (
                offset_of(text, {"line": line, "character": item}, self._encoding)
                for item in (character, character + length)
            )
            if start < last or start == end:
                raise InvalidPlaceError(f"a token is empty or overlaps the one before: {data[position : position + 5]}")
            last = end
            found.append([start, end, kind, modifiers])
        return found
