"""Finds the rule that a document names at a position, and all mentions of a rule."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types
from msgspec import Struct

from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_names.rule_at import RuleAtOffset, rule_at
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.convert import offset_of
from ttsr_ls.lsp.rule_names.mention_search import MAX_FILES, PART, MentioningFile, files_to_search, search_mentions
from ttsr_ls.lsp.rule_names.rule_files import RuleFiles, files_of_rule
from ttsr_ls.lsp.server import Server


class Mentions(Struct, frozen=True, eq=False):
    """The files that mention a rule; `is_complete` is False if the folder has more files than were searched."""

    files: tuple[MentioningFile, ...]
    is_complete: bool


class RuleUnderCursor(Struct, frozen=True, eq=False):
    """A rule that a document names at an offset, and the files of the rule."""

    document: Document
    mention: RuleAtOffset
    rule: RuleFiles


async def named_rule(
    server: Server, params: types.PrepareRenameParams | types.RenameParams | types.ReferenceParams
) -> RuleUnderCursor | None:
    """The rule that is named at a position.

    None if no rule is named, or the document is not open or outside of the workspace folders.
    """
    document = server.current.documents.get(params.text_document.uri)
    if document is None or document.version is None:
        return None
    offset = offset_of(params.position, document, server.client.encoding)
    return await server.run_in_thread(_named_rule, document, offset, server.current)


def _named_rule(document: Document, offset: int, workspace: Workspace) -> RuleUnderCursor | None:
    is_rule = workspace.rule_document(document.uri) is not None
    rule_at_offset = rule_at(document, offset, is_rule=is_rule)
    files = None if rule_at_offset is None else files_of_rule(rule_at_offset.name, document.path, workspace)
    return None if rule_at_offset is None or files is None else RuleUnderCursor(document, rule_at_offset, files)


async def mentions_of(server: Server, rule: RuleFiles) -> Mentions:
    """All mentions of a rule in its workspace folder."""
    workspace = server.current
    listed = await server.run_in_thread(files_to_search, rule, workspace)
    files: list[MentioningFile] = []
    search: Callable[..., tuple[MentioningFile, ...]] = search_mentions
    for start in range(0, len(listed.paths), PART):
        files += await server.run_in_thread(search, listed.paths[start : start + PART], rule, workspace)
    return Mentions(tuple(files), listed.is_complete)


def warn_of_unsearched_files(server: Server, rule: RuleFiles, mentions: Mentions) -> None:
    """Notifies the user if the folder has more files than were searched for the old name."""
    if not mentions.is_complete:
        server.notify_user(
            types.MessageType.Warning,
            f"Only {MAX_FILES:,} files of {rule.folder} were searched for the name of the rule. Search the others for "
            f"'{rule.name}'.",
        )
