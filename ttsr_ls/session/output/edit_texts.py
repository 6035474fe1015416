"""Joins the texts of a growing list of edits: a delta costs its own length, and one copy of the whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ttsr_ls.session.output.partial_json import JsonValue


class EditTexts:
    """Joins the texts of edits by line ends. `keys` are the keys that may contain the text of an edit; without keys,
    an edit is itself a text.

    A list that is passed again may only have grown: all its edits but the last one are complete.
    """

    __slots__ = ("_done", "_edits", "_joined", "_keys")

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = keys
        self._edits: list[JsonValue] | None = None
        self._done = 0
        self._joined: list[str] = []
        """The joined texts of the complete edits as the only item; empty if there are none."""

    def join(self, edits: list[JsonValue]) -> str | None:
        """Returns the joined texts of these edits; None if there are none."""
        if self._edits is not edits:
            self._edits, self._done, self._joined = edits, 0, []
        complete = max(len(edits) - 1, self._done)
        texts = [*self._joined, *self._texts(islice(edits, self._done, complete))]
        self._joined = ["\n".join(texts)] if texts else []
        self._done = complete
        texts = [*self._joined, *self._texts(edits[complete:])]
        return "\n".join(texts) if texts else None

    def _texts(self, edits: Iterable[JsonValue]) -> Iterator[str]:
        for edit in edits:
            if isinstance(edit, str) and not self._keys:
                yield edit
            elif isinstance(edit, dict):
                for key in self._keys:
                    if isinstance(text := edit.get(key), str):
                        yield text
