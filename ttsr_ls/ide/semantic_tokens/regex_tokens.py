"""The tokens of a regular expression, in units of its text."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    Backreference,
    Capture,
    CharForm,
    Chars,
    Group,
    Look,
    Node,
    Pattern,
    Repeat,
    children,
    walk,
)
from ttsr_ls.ide.semantic_tokens.token_kind import SemanticToken, TokenKind
from ttsr_ls.text import Span

_NAMED = "(?<"


def regex_tokens(pattern: Pattern) -> list[SemanticToken]:
    """The tokens in order of the pattern. Adjacent literal characters form one token."""
    tokens = [token for node in walk(pattern.root) for token in _tokens(node, pattern.source) if len(token.span)]
    tokens.sort(key=lambda token: token.span)
    semantic_tokens: list[SemanticToken] = []
    for token in tokens:
        last = semantic_tokens[-1] if semantic_tokens else None
        is_more = (
            last is not None and last.kind is token.kind is TokenKind.LITERAL and last.span.end == token.span.start
        )
        if last is not None and is_more:
            semantic_tokens[-1] = SemanticToken(Span(last.span.start, token.span.end), token.kind)
        else:
            semantic_tokens.append(token)
    return semantic_tokens


def _tokens(node: Node, source: str) -> Iterator[SemanticToken]:
    match node:
        case Chars():
            yield from _characters(node, source)
        case Assertion():
            yield SemanticToken(node.span, TokenKind.ANCHOR)
        case Backreference():
            yield SemanticToken(node.span, TokenKind.CAPTURE_NAME)
        case Look() | Group() | Capture():
            yield from _group(node)
        case Repeat():
            yield SemanticToken(Span(node.body.span.end, node.span.end), TokenKind.QUANTIFIER)
        case Alternation():
            ends = [child.span.end for child in children(node)]
            starts = [child.span.start for child in children(node)]
            for end, start in zip(ends, starts[1:], strict=False):
                yield SemanticToken(Span(end, start), TokenKind.ALTERNATION)
        case _:
            pass


def _group(node: Look | Group | Capture) -> Iterator[SemanticToken]:
    span = Span(node.span.start, node.body.span.start)
    if isinstance(node, Capture) and node.name is not None and len(span) > len(_NAMED):
        name = Span(span.start + len(_NAMED), span.end - 1)
        yield SemanticToken(Span(span.start, name.start), TokenKind.GROUP)
        yield SemanticToken(name, TokenKind.CAPTURE_NAME)
        yield SemanticToken(Span(name.end, span.end), TokenKind.GROUP)
    else:
        yield SemanticToken(span, TokenKind.GROUP)
    yield SemanticToken(Span(node.body.span.end, node.span.end), TokenKind.GROUP)


def _characters(node: Chars, source: str) -> Iterator[SemanticToken]:
    if node.form is not CharForm.CLASS:
        yield SemanticToken(node.span, _kind_of(source, node.span, node.form))
        return
    # Escapes within brackets stand out from what is around them.
    start = node.span.start
    for item in node.items:
        if source.startswith("\\", item.span.start):
            yield SemanticToken(Span(start, item.span.start), TokenKind.CHARACTER_CLASS)
            yield SemanticToken(item.span, TokenKind.ESCAPE)
            start = item.span.end
    yield SemanticToken(Span(start, node.span.end), TokenKind.CHARACTER_CLASS)


def _kind_of(source: str, span: Span, form: CharForm) -> TokenKind:
    match form:
        case CharForm.DOT | CharForm.CLASS_ESCAPE:
            return TokenKind.CHARACTER_CLASS
        case CharForm.ESCAPE:
            return TokenKind.ESCAPE
        case _:
            return TokenKind.ESCAPE if source.startswith("\\", span.start) else TokenKind.LITERAL
