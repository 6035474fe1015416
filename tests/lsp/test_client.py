"""What is made of a client's capabilities, real and minimal."""

from __future__ import annotations

import pytest
from lsprotocol import types

from tests.lsp.talk import capabilities_of
from ttsr_ls.lsp.client import Client, resolve
from ttsr_ls.text import Encoding


def offering(*encodings: types.PositionEncodingKind | str) -> types.ClientCapabilities:
    return types.ClientCapabilities(general=types.GeneralClientCapabilities(position_encodings=list(encodings)))


@pytest.mark.parametrize(
    ("capabilities", "encoding"),
    [
        (types.ClientCapabilities(), Encoding.UTF16),
        (offering(), Encoding.UTF16),
        (offering("utf-7"), Encoding.UTF16),
        (offering("utf-7", types.PositionEncodingKind.Utf32), Encoding.UTF32),
        (offering(types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16), Encoding.UTF8),
        (offering(types.PositionEncodingKind.Utf16, types.PositionEncodingKind.Utf8), Encoding.UTF16),
    ],
)
def test_the_encoding_is_the_first_known_one_that_is_offered(
    capabilities: types.ClientCapabilities, encoding: Encoding
) -> None:
    assert resolve(capabilities).encoding is encoding


def test_a_client_without_capabilities_has_the_defaults() -> None:
    assert resolve(types.ClientCapabilities()) == Client()


def test_the_recorded_editors_have_their_known_capabilities() -> None:
    neovim, vscode = (resolve(capabilities_of(editor)) for editor in ("neovim", "vscode"))
    assert (neovim.encoding, vscode.encoding) == (Encoding.UTF8, Encoding.UTF16)
    assert (neovim.registers_document_sync, vscode.registers_document_sync) == (False, True)
    assert neovim.pulls_diagnostics
    assert vscode.pulls_diagnostics
    assert not resolve(capabilities_of("pushed")).pulls_diagnostics
