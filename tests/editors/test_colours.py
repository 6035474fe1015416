"""The colours of patterns: VS Code shows semantic tokens as the grammar of conditions does, so that none gets worse."""

from __future__ import annotations

import json
from typing import Any

from tests.editors.probed import ROOT
from ttsr_ls.ide.semantic_tokens.token_kind import TokenKind

VSCODE = ROOT / "editors" / "vscode"
OF_THE_GRAMMAR = set(TokenKind) - {TokenKind.METAVARIABLE}
"""What the grammar colours, too: it knows no AST patterns."""


def names(value: Any) -> set[str]:
    """All names of scopes in a grammar."""
    if isinstance(value, list):
        return {name for each in value for name in names(each)}
    if not isinstance(value, dict):
        return set()
    own = {value[key] for key in ("name", "contentName") if isinstance(value.get(key), str)}
    return own | {name for each in value.values() for name in names(each)}


def test_every_token_has_a_scope_of_the_grammar() -> None:
    package = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))
    grammar = json.loads((VSCODE / "syntaxes" / "conditions.tmLanguage.json").read_text(encoding="utf-8"))
    (contributed,) = package["contributes"]["semanticTokenScopes"]
    assert contributed["language"] == "markdown"
    assert set(contributed["scopes"]) == set(TokenKind)
    known = names(grammar)
    for kind in OF_THE_GRAMMAR:
        (scope,) = contributed["scopes"][kind]
        assert any(name == scope or name.startswith(f"{scope}.") for name in known), kind


def test_the_grammar_is_not_injected_into_its_own_values() -> None:
    # Its first rule matches no character. Matched again inside of itself, it would end the tokens of the line.
    grammar = json.loads((VSCODE / "syntaxes" / "conditions.tmLanguage.json").read_text(encoding="utf-8"))
    (value,) = grammar["patterns"]
    assert f"-{value['name']}" in grammar["injectionSelector"].split()
