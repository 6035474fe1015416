"""The selection ranges of a rule file: the part of a pattern, its groups, the value, the entry, the frontmatter."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.tree.nodes import Node, children
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import ListValue, RuleFile
from ttsr_ls.text import Span

_MAX_DEPTH = 100


def selection_ranges(file: RuleFile, offset: int) -> tuple[Span, ...]:
    """The spans around `offset`, each within the next; the last is the whole file."""
    spans = [Span(0, len(file.text))]
    if file.frontmatter is not None and file.frontmatter.span.contains(offset):
        spans += [file.frontmatter.span, file.frontmatter.content_span]
        for entry in file.frontmatter.entries:
            entry_span = Span(entry.key_span.start, max(entry.key_span.end, entry.value.span.end))
            if entry_span.contains(offset):
                spans += [entry_span, entry.key_span, entry.value.span]
                if isinstance(entry.value, ListValue):
                    spans += [item.span for item in entry.value.items]
        for condition in file.fields.conditions:
            if condition.span.contains(offset):
                spans += [_inside(condition), *_parts(condition, offset)]
        spans += [token.text.span for token in file.fields.scope if not token.inferred]
    else:
        spans.append(file.body.span)
    around_spans = {span for span in spans if span.contains(offset)}
    chain: list[Span] = []
    for span in sorted(around_spans, key=len):
        if not chain or span.covers(chain[-1]):
            chain.append(span)
    return tuple(chain)


def _inside(text: MappedText) -> Span:
    """A text without its quotes."""
    return text.source_span(0, len(text.value))


def _parts(condition: MappedText, offset: int) -> Iterator[Span]:
    """The parts of a pattern around an offset of the file, the largest first."""
    try:
        compiled = compile_condition(condition.value)
    except RegexSyntaxError:
        return

    def span(node: Node) -> Span:
        return condition.source_span_of_units(node.span, compiled.pattern_offset)

    node: Node | None = compiled.pattern.root
    for _ in range(_MAX_DEPTH):
        if node is None:
            return
        yield span(node)
        node = next((child for child in children(node) if span(child).contains(offset)), None)
