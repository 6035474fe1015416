"""Open documents: immutable texts with their line index. Knows no protocol; `uri` is only a key."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.dialects.file_roles import rule_name_of
from ttsr_ls.text import LineIndex


class Document(Struct, frozen=True, eq=False):
    """One version of an open text. Compared by identity: a new version is a new document.

    `path` is the file's path as the operating system writes it, or the last part of the URI if there is no file.
    `version` is None if the editor did not send the text: it has to be read from the disk, and `text` is not valid.
    """

    uri: str
    path: str
    version: int | None
    text: str
    index: LineIndex

    @staticmethod
    def of(uri: str, path: str, version: int | None, text: str) -> Document:
        """A document with its line index built."""
        return Document(uri, path, version, text, LineIndex(text))

    @property
    def rule_name(self) -> str:
        """The name that a rule in this file has (spec K1, D6)."""
        return rule_name_of(self.path)
