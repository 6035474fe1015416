"""`workspace/willRenameFiles`: test files and mentions follow a rule file that the user renames or moves."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp.rule_names.followed_renames import followed_renames
from ttsr_ls.lsp.rule_names.named_rules import mentions_of, warn_of_unsearched_files
from ttsr_ls.lsp.rule_names.renaming import DocumentEdit, name_edits, workspace_edit
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import can_be_a_path, is_file, path_of

_MAX_FILES = 200
"""The most renamed files whose mentions are searched; more files are probably renamed by a program."""


async def handle(server: Server, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
    """The edit for the editor to apply before it renames the files; None if nothing follows."""
    if not server.client.renames_files:
        return None
    files = {
        path_of(file.old_uri): path_of(file.new_uri)
        for file in params.files[:_MAX_FILES]
        if all(is_file(uri) and can_be_a_path(path_of(uri)) for uri in (file.old_uri, file.new_uri))
    }
    by_user = server.requested_renames.without_requested(files)
    followed = await server.run_in_thread(followed_renames, by_user, server.current)
    edits: list[DocumentEdit] = []
    for rename in followed:
        if rename.named is not None:
            mentions = await mentions_of(server, rename.named)
            warn_of_unsearched_files(server, rename.named, mentions)
            edits += await server.run_in_thread(
                name_edits, rename.named, rename.file.new, mentions.files, server.current, server.client.encoding
            )
    tests = [rename.tests for rename in followed if rename.tests is not None]
    return workspace_edit(edits, tests) if edits or tests else None
