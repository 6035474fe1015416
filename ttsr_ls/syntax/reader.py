"""Reading a rule file: from its bytes or text to a `RuleFile`. Never raises on content (semantics.md 1.1)."""

from __future__ import annotations

from ttsr_ls.syntax.delimiters import Parts, split
from ttsr_ls.syntax.fields import read_fields
from ttsr_ls.syntax.line_fallback import read_lines, repaired
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.normalise import normalise
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import Entry, Frontmatter, MapValue, RuleFile
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.text import Span

BYTE_ORDER_MARK = "\ufeff"


def decode(data: bytes) -> tuple[str, tuple[Problem, ...]]:
    """The text of a file's bytes: UTF-8, a byte order mark dropped, invalid bytes replaced and reported (F1)."""
    text = data.decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = len(data[: error.start].decode("utf-8").removeprefix(BYTE_ORDER_MARK))
        message = "The file is not UTF-8 here. The agent reads each invalid byte as U+FFFD."
        return text, (Problem("invalid-utf8", message, Span(offset, min(offset + 1, len(text)))),)
    return text, ()


def read_rule(text: str, *, name: str, path: str) -> RuleFile:
    """Read the text of a rule file in the omp dialect. `name` and `path` are only passed on."""
    normalised = normalise(text)
    parts = split(normalised.text)
    frontmatter = _frontmatter(parts)
    return RuleFile(name, path, text, frontmatter, read_fields(frontmatter), parts.body, ())


def _frontmatter(parts: Parts) -> Frontmatter | None:
    if parts.metadata is None:
        return None
    metadata = _without_tabs(parts.metadata)
    entries, recovered = _entries(metadata)
    return Frontmatter(parts.block.span, parts.metadata.span, entries, recovered)


def _entries(metadata: MappedText) -> tuple[tuple[Entry, ...], bool]:
    for candidate in (metadata, repaired(metadata)):
        if candidate is None:
            continue
        try:
            value = parse_yaml(candidate)
        except YamlError:
            continue
        return (value.entries if isinstance(value, MapValue) else ()), False
    return read_lines(metadata), True


def _without_tabs(metadata: MappedText) -> MappedText:
    """Two spaces for each tab, within quotes too (F5)."""
    if "\t" not in metadata.value:
        return metadata
    parts = []
    done = 0
    while (tab := metadata.value.find("\t", done)) >= 0:
        parts.append((metadata.value[done:tab], metadata.source_span(done, tab)))
        parts.append(("  ", metadata.source_span(tab, tab + 1)))
        done = tab + 1
    parts.append((metadata.value[done:], metadata.source_span(done, len(metadata.value))))
    return MappedText.joined(parts, metadata.span)
