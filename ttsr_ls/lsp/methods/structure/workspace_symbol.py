"""`workspace/symbol`: the rules of the workspace by their names."""

from __future__ import annotations

from itertools import islice

from lsprotocol import types

from ttsr_ls.escaping import one_line
from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.shown_path import shown_path
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.rule_locations import rule_locations
from ttsr_ls.lsp.server import Server

_MAX_SYMBOLS = 500


async def handle(server: Server, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    """The rules whose names have the letters of the query in their order, as editors filter."""
    return await server.run_in_thread(_symbols, params.query.lower(), server.current)


def _symbols(query: str, workspace: Workspace) -> list[types.WorkspaceSymbol]:
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    matching = ((name, path) for name, path in rule_locations(workspace) if _has_letters(name.lower(), query))
    return [
        types.WorkspaceSymbol(
            types.Location(file_uri(path), start),
            one_line(name),
            types.SymbolKind.Event,
            container_name=_folder(path, workspace),
        )
        for name, path in islice(matching, _MAX_SYMBOLS)
    ]


def _has_letters(name: str, query: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in query)


def _folder(path: str, workspace: Workspace) -> str:
    display = min((shown_path(path, folder) for folder in workspace.folders), key=len, default=path)
    return one_line(display.rpartition("/")[0])
