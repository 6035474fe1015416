"""The workspace as one immutable value: what is open, and where.

A request keeps the value that was current when it began; the server replaces it as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_detection import is_rule_document


class Workspace(Struct, frozen=True):
    """The open documents by URI, the workspace folders' paths, and how often rules on the disk have changed.

    `rule_folders` are the folders with rules that the configurations of the workspace folders name.
    """

    documents: Mapping[str, Document] = field(default_factory=lambda: MappingProxyType({}))
    folders: tuple[str, ...] = ()
    disk_changes: int = 0
    rule_folders: frozenset[str] = frozenset()

    def with_document(self, document: Document) -> Workspace:
        """The workspace in which `document` is open and current."""
        return replace(self, documents=MappingProxyType({**self.documents, document.uri: document}))

    def without_document(self, uri: str) -> Workspace:
        """The workspace in which nothing is open at `uri`."""
        documents = {key: document for key, document in self.documents.items() if key != uri}
        return replace(self, documents=MappingProxyType(documents))

    def with_folders(self, folders: Iterable[str]) -> Workspace:
        """The workspace with these folders."""
        return replace(self, folders=tuple(dict.fromkeys(folders)))

    def with_rule_folders(self, rule_folders: Iterable[str]) -> Workspace:
        """The workspace in which the files of these folders are rules too."""
        return replace(self, rule_folders=frozenset(rule_folders))

    def with_changed_disk(self) -> Workspace:
        """The workspace after rule files on the disk changed: findings about neighbouring files are out of date."""
        return replace(self, disk_changes=self.disk_changes + 1)

    def rule_document(self, uri: str) -> Document | None:
        """The open document at `uri` if it is a rule file; None if the editor did not send its text."""
        document = self.documents.get(uri)
        if document is None or document.version is None or not is_rule_document(document, self.rule_folders):
            return None
        return document

    def folder_around(self, path: str) -> str | None:
        """The innermost workspace folder that contains a file; None if none does."""
        folders = (folder for folder in self.folders if PurePath(path).is_relative_to(folder))
        return max(folders, key=len, default=None)
