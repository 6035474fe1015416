"""The kinds of semantic tokens. Each is a token type of the protocol, since editors colour no others."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.text import Span


class TokenKind(StrEnum):
    """The kind of a token. The value is the protocol's token type; VS Code's plugin says as which scope it is
    coloured."""

    LITERAL = "regexp"
    """Characters that match themselves."""
    ESCAPE = "enumMember"
    """An escape that stands for one character, and any escape within brackets."""
    CHARACTER_CLASS = "class"
    """`.`, `\\w` and its like, and classes in brackets."""
    ANCHOR = "keyword"
    """`^`, `$`, `\\b`, and `\\B`."""
    GROUP = "decorator"
    """The parentheses of groups and lookarounds with what follows the opening one, and the leading flags."""
    CAPTURE_NAME = "parameter"
    """The name of a group, and a backreference."""
    QUANTIFIER = "operator"
    """`*`, `+?`, `{2,3}`, and their like."""
    ALTERNATION = "macro"
    """`|`. A type of its own, as themes give it another colour than quantifiers."""
    METAVARIABLE = "variable"
    """`$A` and `$$$` in an AST pattern."""


class SemanticToken(Struct, frozen=True, gc=False):
    """A part of a rule file. Tokens do not overlap, and may go over several lines."""

    span: Span
    kind: TokenKind
