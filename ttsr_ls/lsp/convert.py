"""Converts values of `ide` and `lint` to protocol types, without any decisions."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.escaping import one_line, printable
from ttsr_ls.file_uri import file_uri
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.markdown_renderer import plain_text
from ttsr_ls.ide.paragraphs import join_lines
from ttsr_ls.lint.catalogue import find
from ttsr_ls.lint.finding import Edit, Finding, RelatedLocation, Severity
from ttsr_ls.lsp.client import Client
from ttsr_ls.lsp.window.documentation import page_uri
from ttsr_ls.text import Encoding, LineIndex, Position, Span

SOURCE = "ttsr"

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
# Codes of text without any effect, which editors draw faded.
_UNNECESSARY = {"unknown-key", "duplicate-key", "inert-name", "redundant-condition", "comment-removed"}
_DEPRECATED = {"legacy-key"}


def lsp_position(position: Position) -> types.Position:
    """A position that is already in the client's encoding."""
    return types.Position(position.line, position.character)


def lsp_range(span: Span, index: LineIndex, encoding: Encoding) -> types.Range:
    """The range of a span in the text of `index`."""
    return types.Range(
        lsp_position(index.position(span.start, encoding)), lsp_position(index.position(span.end, encoding))
    )


def offset_of(position: types.Position, document: Document, encoding: Encoding) -> int:
    """The offset of a client's position in a document."""
    return document.index.offset(Position(position.line, position.character), encoding)


def span_of(span_range: types.Range, document: Document, encoding: Encoding) -> Span:
    """The span of a client's range in a document; a range that ends before its start is reversed."""
    first, last = sorted(
        (offset_of(span_range.start, document, encoding), offset_of(span_range.end, document, encoding))
    )
    return Span(first, last)


def text_edit(edit: Edit, document: Document, encoding: Encoding) -> types.TextEdit:
    """Converts an edit to LSP's type, with positions in the encoding of the client."""
    return types.TextEdit(lsp_range(edit.span, document.index, encoding), edit.text)


def markup(markdown: str, *, shows_markdown: bool) -> types.MarkupContent:
    """Returns a text for a client that may support plain text only. Characters that an editor would interpret or hide
    are escaped.
    """
    # Neovim keeps line ends within paragraphs, and breaks long lines as well.
    markdown = join_lines(printable(markdown))
    if shows_markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, markdown)
    return types.MarkupContent(types.MarkupKind.PlainText, plain_text(markdown))


def diagnostic(finding: Finding, document: Document, client: Client) -> types.Diagnostic:
    """The diagnostic that shows a finding."""
    entry = find(finding.code)
    href = page_uri(entry, client) if entry is not None and client.shows_code_descriptions else None
    return types.Diagnostic(
        range=lsp_range(finding.span, document.index, client.encoding),
        message=one_line(finding.message),
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(href) if href else None,
        source=SOURCE,
        tags=_tags(finding.code),
        related_information=_related(finding.related, document, client),
    )


def _tags(code: str) -> list[types.DiagnosticTag] | None:
    if code in _UNNECESSARY:
        return [types.DiagnosticTag.Unnecessary]
    if code in _DEPRECATED:
        return [types.DiagnosticTag.Deprecated]
    return None


def _related(
    related: tuple[RelatedLocation, ...], document: Document, client: Client
) -> list[types.DiagnosticRelatedInformation] | None:
    if not related or not client.shows_related_information:
        return None
    return [
        types.DiagnosticRelatedInformation(_location(place, document, client.encoding), one_line(place.message))
        for place in related
    ]


def _location(place: RelatedLocation, document: Document, encoding: Encoding) -> types.Location:
    uri = document.uri if place.path is None else file_uri(place.path)
    index = place.index(document.index)
    if index is None:
        start = types.Position(0, 0)
        return types.Location(uri, types.Range(start, start))
    return types.Location(uri, lsp_range(place.span, index, encoding))
