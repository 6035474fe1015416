"""Pages of the manual in the editor: the location of a finding's page, and its content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from ttsr_ls.ide.paragraphs import join_lines
from ttsr_ls.lint.catalogue import CATALOGUE, CatalogueEntry, find
from ttsr_ls.lint.manual import manual_page
from ttsr_ls.lsp.client import Client
from ttsr_ls.syntax.nearest_word import nearest_word

if TYPE_CHECKING:
    from ttsr_ls.lsp.server import Server

SCHEME = "ttsr-docs"
"""The scheme of the URIs of pages, for clients that open them rendered. The path is that in the manual."""
_FINDINGS = f"{SCHEME}:/findings/"
OPEN = "ttsr.openDocumentation"
"""The client's command that opens a page by its URI."""
SHOW = "ttsr.showDocumentation"
"""The server's command for other clients: it requests the client to show the file of the page."""


def page_uri(entry: CatalogueEntry, client: Client) -> str:
    """The URI of a code's page: in the manual if the client opens such pages, else that of the installed file."""
    return f"{SCHEME}:/{entry.page_name}" if client.opens_documentation else entry.url


def documentation_command(code: str, client: Client) -> types.Command | None:
    """The command that opens the page of a finding's code; None if the client cannot open pages."""
    entry = find(code)
    if entry is None or not (client.opens_documentation or client.shows_documents):
        return None
    command = OPEN if client.opens_documentation else SHOW
    return types.Command(f"Open the documentation of {code}", command, arguments=[page_uri(entry, client)])


def documentation(arguments: tuple[object, ...]) -> dict[str, Any]:
    """Answers the request `ttsr.documentation`: the page of the manual at a URI, as `{uri, text}`.

    Raises JsonRpcInvalidParams if the manual has no such page.
    """
    uri = _uri("ttsr.documentation", arguments)
    parts = urlsplit(uri)
    text = manual_page(unquote(parts.path)) if parts.scheme == SCHEME else None
    if text is None:
        raise JsonRpcInvalidParams(_missing_page(uri))
    return {"uri": uri, "text": join_lines(text)}


def _missing_page(uri: str) -> str:
    """The message about a page that does not exist; it suggests the nearest code."""
    code = uri.removeprefix(_FINDINGS).removesuffix(".md")
    if code == uri or "/" in code:
        return f"The manual has no page {uri}"
    near = nearest_word(code, sorted(entry.code for entry in CATALOGUE))
    hint = "" if near is None else f"Did you mean '{near}'? "
    # The remedy comes first: an editor shows one line, and may truncate it.
    return f"{hint}The manual has no page of a code '{code}'"


async def show(server: Server, arguments: tuple[object, ...]) -> None:
    """Asks the client to open a page's file. Raises JsonRpcInvalidParams."""
    uri = _uri(SHOW, arguments)
    name = uri.rpartition("/")[2].removesuffix(".md")
    entry = find(name)
    if entry is None or entry.url != uri:
        raise JsonRpcInvalidParams(f"The manual has no page {uri}")
    await server.window_show_document_async(types.ShowDocumentParams(uri, take_focus=True))


def _uri(command: str, arguments: tuple[object, ...]) -> str:
    if len(arguments) != 1 or not isinstance(arguments[0], str):
        raise JsonRpcInvalidParams(f"{command} takes the URI of a page")
    return arguments[0]
