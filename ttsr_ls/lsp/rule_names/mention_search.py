"""Searches the files of a workspace folder for mentions of a rule. Runs in threads, because it reads the disk.

Limits the number and the size of files. Searches in parts, so that other requests can run between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_detection import is_rule_document
from ttsr_ls.ide.rule_names.config_globs import config_globs
from ttsr_ls.ide.rule_names.file_names import rule_file_name
from ttsr_ls.ide.rule_names.mentions import CONFIG_FILES, find_mentions
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.rule_names.rule_files import RuleFiles, are_related, project_root
from ttsr_ls.lsp.uris import is_file
from ttsr_ls.lsp.workspace_files import file_names
from ttsr_ls.store.discovery.scan_tree import UnreadFile, read_text
from ttsr_ls.syntax.settings_locations import SETTINGS_LOCATIONS
from ttsr_ls.text import Span

MAX_FILES = 20_000
"""The most files of a folder that are searched."""
_MAX_BYTES = 1024 * 1024
"""Larger files are not searched."""
PART = 200
"""The number of files in one part of the search."""


class MentioningFile(Struct, frozen=True, eq=False):
    """A file that mentions a rule, with the spans of the name."""

    document: Document
    spans: tuple[Span, ...]


class FilesToSearch(Struct, frozen=True):
    """The paths of files that may mention a rule; `is_complete` is False if the folder has more files."""

    paths: tuple[str, ...]
    is_complete: bool


def files_to_search(rule: RuleFiles, workspace: Workspace) -> FilesToSearch:
    """The open files of the workspace folder, its settings, and all files that git does not ignore."""
    opened = [
        document.path
        for document in workspace.documents.values()
        if is_file(document.uri) and workspace.folder_around(document.path) == rule.folder
    ]
    roots = dict.fromkeys((rule.root, rule.folder, *(project_root(path, rule.folder) for path in rule.paths)))
    settings = [str(PurePath(root, location.path)) for root in roots for location in SETTINGS_LOCATIONS]
    names = file_names(rule.folder, MAX_FILES)
    inside = (str(PurePath(rule.folder, name)) for name in names)
    paths = dict.fromkeys((*opened, *settings, *rule.paths, *inside))
    return FilesToSearch(tuple(paths), len(names) < MAX_FILES)


def search_mentions(paths: Iterable[str], rule: RuleFiles, workspace: Workspace) -> tuple[MentioningFile, ...]:
    """The files among `paths` that mention a rule, with the texts of the editor, else of the disk."""
    # A client may also open the text of a file in an earlier commit, by a URI of another scheme with the same path.
    opened = (document for document in workspace.documents.values() if is_file(document.uri))
    documents = {document.path: document for document in opened if document.version is not None}
    files = []
    for path in paths:
        document = documents.get(path) or _read(path, rule.name)
        spans = tuple(_spans(document, rule, workspace)) if document is not None else ()
        if document is not None and spans:
            files.append(MentioningFile(document, spans))
    return tuple(files)


def _read(path: str, name: str) -> Document | None:
    text = read_text(path, _MAX_BYTES)
    if isinstance(text, UnreadFile) or name not in text:
        return None
    return Document.of(file_uri(path), path, None, text)


def _spans(document: Document, rule: RuleFiles, workspace: Workspace) -> Iterator[Span]:
    path = document.path
    if PurePath(path).name in CONFIG_FILES:
        yield from _mentions_in_configuration(document, rule)
    elif are_related(project_root(path, rule.folder), rule.root):
        is_rule = is_rule_document(document, workspace.rule_folders)
        for mention in find_mentions(document.text, path, is_rule=is_rule):
            if mention.name == rule.name:
                yield mention.span


def _mentions_in_configuration(document: Document, rule: RuleFiles) -> Iterator[Span]:
    """The spans of the rule's name in paths of its files. Globs with wildcards are no mentions."""
    base, name = PurePath(document.path).parent, PurePath(document.path).name
    relative = [
        PurePath(path).relative_to(base).as_posix()
        for path in (*rule.paths, *rule.tests)
        if PurePath(path).is_relative_to(base)
    ]
    parts = next((parts for path in rule.paths if (parts := rule_file_name(path)) is not None), None)
    if parts is None:
        return
    for glob in config_globs(document.text, is_shared=name == CONFIG_FILES[1]):
        if glob.is_plain and any(glob.matches(path) for path in relative):
            folder, slash, file = glob.text.rpartition("/")
            if file.startswith(f"{parts.prefix}{parts.name}"):
                start = glob.span.start + len(folder + slash + parts.prefix)
                yield Span(start, start + len(parts.name))
