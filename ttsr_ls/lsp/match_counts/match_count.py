"""The requests and answers of the process that counts matches."""

from __future__ import annotations

from msgspec import Struct


class CountRequest(Struct, frozen=True):
    """A rule with its text in the editor, the folder to search, and the texts of other open files, by path."""

    path: str
    text: str
    folder: str
    encoding: str
    texts: dict[str, str]


class CountedMatch(Struct, frozen=True, array_like=True):
    """A match: its file, relative to the folder, and its start and end in units of the encoding."""

    file: str
    line: int
    character: int
    end_line: int
    end_character: int


class MatchCount(Struct, frozen=True):
    """The numbers of matches and of files with matches; there may be more if `is_complete` is False. `places` has the
    first matches."""

    matches: int = 0
    files: int = 0
    is_complete: bool = True
    places: tuple[CountedMatch, ...] = ()
