"""The requests about documents that a server offers, with parameters for them."""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from typing import Any

from lsprotocol import types
from msgspec import Struct

from tests.lsp.conformance.protocol_types import properties_of

_METHODS: dict[str, tuple[str, ...]] = {
    "semanticTokensProvider": (),
    "documentFormattingProvider": ("textDocument/formatting",),
    "documentRangeFormattingProvider": ("textDocument/rangeFormatting",),
    "documentOnTypeFormattingProvider": ("textDocument/onTypeFormatting",),
    "callHierarchyProvider": ("textDocument/prepareCallHierarchy",),
    "typeHierarchyProvider": ("textDocument/prepareTypeHierarchy",),
    "workspaceSymbolProvider": ("workspace/symbol",),
    "executeCommandProvider": (),
}
_METHODS_OF_OPTIONS = {
    "renameProvider": {"prepareProvider": "textDocument/prepareRename"},
    "semanticTokensProvider": {
        "full": "textDocument/semanticTokens/full",
        "range": "textDocument/semanticTokens/range",
    },
}
_POSITIONAL = {"position", "positions", "range"}
_VALUES: dict[str, Any] = {
    "newName": "renamed-rule",
    "query": "",
    "previousResultIds": [],
    "options": {"tabSize": 4, "insertSpaces": True},
    "ch": "\n",
}


class OfferedRequest(Struct, frozen=True):
    """A request; `needs` are the properties that its parameters must have."""

    method: str
    needs: frozenset[str]

    @property
    def is_positional(self) -> bool:
        """True if it is about a place in a document, and not about the whole."""
        return bool(self.needs & _POSITIONAL)

    def params(self, uri: str, where: Mapping[str, Any], diagnostics: Sequence[Any] = ()) -> dict[str, Any]:
        """Parameters for a range of a document, or its start."""
        known = {
            "textDocument": {"uri": uri},
            "position": where["start"],
            "positions": [where["start"]],
            "range": where,
            "context": {"includeDeclaration": True} if "references" in self.method else {"diagnostics": diagnostics},
            **_VALUES,
        }
        return {name: known[name] for name in sorted(self.needs)}


def offered_requests(initialized: Mapping[str, Any], registered: Sequence[Mapping[str, Any]]) -> list[OfferedRequest]:
    """What a server offers by its answer to `initialize` and by what it registered for."""
    methods: set[str] = {item["method"] for item in registered}
    for name, options in initialized["capabilities"].items():
        if name.endswith("Provider") and options:
            methods |= {*_METHODS.get(name, (f"textDocument/{name.removesuffix('Provider')}",))}
        if isinstance(options, dict):
            methods |= {method for option, method in _METHODS_OF_OPTIONS.get(name, {}).items() if options.get(option)}
    return [_request(method) for method in sorted(methods) if "id" in properties_of(types.METHOD_TO_TYPES[method][0])]


def _request(method: str) -> OfferedRequest:
    message = types.METHOD_TO_TYPES[method][0]
    params = typing.get_type_hints(message, vars(types))["params"]
    needs = {name for name, item in properties_of(params).items() if item.is_required}
    return OfferedRequest(method, frozenset(needs))
