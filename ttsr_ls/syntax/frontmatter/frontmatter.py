"""Reads the entries of the text between the delimiters: tabs, YAML, repair, and the line fallback (spec F5 to F7)."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.frontmatter.delimiters import FileParts
from ttsr_ls.syntax.frontmatter.line_fallback import quote_plain_values, read_lines
from ttsr_ls.syntax.frontmatter.yaml_repair import open_quote, repair_line
from ttsr_ls.syntax.line_ends import LINE_END_LIMITS, line_rest
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, Frontmatter, ListValue, MapValue, ScalarValue
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.flow_scalars import QUOTE_NOT_CLOSED
from ttsr_ls.text import Span

MAX_LENGTH = 64 * 1024
"""Longer frontmatter, in characters, is not read: no user writes so much, and the editor must stay fast."""


class FrontmatterFailure(Struct, frozen=True):
    """The reason why the frontmatter is not read as its author wrote it, as a clause, and the span of the cause.

    `replacement` is the text for the span that makes it valid YAML, None if unknown.
    """

    reason: str
    span: Span
    replacement: str | None = None


def unread_reason(metadata: MappedText) -> str | None:
    """Returns why frontmatter is not read at all, as a clause; None if it is read."""
    if len(metadata.value) > MAX_LENGTH:
        return f"it is longer than {MAX_LENGTH} characters and not read"
    if metadata.span.end > LINE_END_LIMITS.exact:
        return f"it ends after {LINE_END_LIMITS.exact} characters, comments and line ends included, and is not read"
    return None


def read_frontmatter(parts: FileParts) -> tuple[Frontmatter | None, FrontmatterFailure | None]:
    """Returns the frontmatter of a file, and the failure of reading it, if any."""
    if parts.metadata is None:
        return None, None
    metadata = parts.metadata
    if (reason := unread_reason(metadata)) is not None:
        failure = FrontmatterFailure(reason, parts.block.source_span(0, 3))
        return _frontmatter(parts, (), recovered=False), failure
    try:
        value = parse_yaml(_without_tabs(metadata))
    except YamlError as error:
        return _recovered(parts, metadata, error)
    match value:
        case MapValue():
            return _frontmatter(parts, value.entries, recovered=False), None
        case ScalarValue(data=None):
            return _frontmatter(parts, (), recovered=False), None
        case ListValue():
            reason = "it is a list, or more than one document, and not keys with values"
        case ScalarValue():
            reason = "it is a text, not keys with values; a key is followed by a colon and a blank"
    return _frontmatter(parts, (), recovered=False), FrontmatterFailure(reason, value.span)


def _recovered(
    parts: FileParts, metadata: MappedText, error: YamlError
) -> tuple[Frontmatter, FrontmatterFailure | None]:
    """Returns the entries that can be read of frontmatter that is not YAML (spec F7). Reading line by line still sees
    tabs."""
    mapped_text = _without_tabs(metadata)
    candidate = quote_plain_values(metadata)
    if candidate is not None:
        # The agent adds these quotes, so the author must fix the error that remains.
        mapped_text = _without_tabs(candidate)
        try:
            value = parse_yaml(mapped_text)
        except YamlError as remaining:
            error = remaining
        else:
            return _frontmatter(parts, value.entries if isinstance(value, MapValue) else (), recovered=False), None
    return _frontmatter(parts, read_lines(metadata), recovered=True), _failure(mapped_text, error)


def _failure(text: MappedText, error: YamlError) -> FrontmatterFailure:
    """Returns the failure with the span of the text that can be repaired, else with the rest of the line on which YAML
    failed."""
    quote = open_quote(text.value, error.offset)
    if quote is not None and (repair := repair_line(text.value, quote)) is not None:
        span = text.source_span(repair.start, repair.end)
        return FrontmatterFailure(QUOTE_NOT_CLOSED, span, repair.replacement)
    repair = repair_line(text.value, error.offset)
    if repair is not None:
        reason = repair.reason or str(error)
        return FrontmatterFailure(reason, text.source_span(repair.start, repair.end), repair.replacement)
    span = line_rest(text.value, error.offset)
    return FrontmatterFailure(str(error), text.source_span(span.start, span.end))


def _frontmatter(parts: FileParts, entries: tuple[Entry, ...], *, recovered: bool) -> Frontmatter:
    assert parts.metadata is not None
    return Frontmatter(parts.block.span, parts.metadata.span, entries, recovered)


def _without_tabs(metadata: MappedText) -> MappedText:
    """Returns the metadata with two spaces for each tab, also within quotes (spec F5)."""
    if "\t" not in metadata.value:
        return metadata
    parts: list[tuple[str, Span]] = []
    copied_until = 0
    while (tab := metadata.value.find("\t", copied_until)) >= 0:
        parts.extend(metadata.runs(copied_until, tab))
        parts.append(("  ", metadata.source_span(tab, tab + 1)))
        copied_until = tab + 1
    parts.extend(metadata.runs(copied_until, len(metadata.value)))
    return MappedText.joined(parts, metadata.span)
