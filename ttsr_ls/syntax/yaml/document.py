"""Parses the documents of a YAML text: markers, directives, and the one value that a rule uses."""

from __future__ import annotations

import re

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Value
from ttsr_ls.syntax.yaml.context import CollectionStart
from ttsr_ls.syntax.yaml.cursor import YamlCursor
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.nodes import NodeReader
from ttsr_ls.syntax.yaml.tree import YamlTreeBuilder

_DIRECTIVE = re.compile(r"%[^ \t\n]+[^\n]*")
_TAG_DIRECTIVE = re.compile(r"%TAG[ \t]+!([A-Za-z0-9\-]*)!?[ \t]+[^ \t\n]+[ \t]*(?:#[^\n]*)?")


def parse_yaml(text: MappedText) -> Value:
    """Returns the value of a YAML text; a list of values if it has several documents. Raises `YamlError`."""
    if (nul := text.value.find("\0")) >= 0:
        raise YamlError("the character U+0000 cannot be in YAML", nul)
    cursor = YamlCursor(text.value)
    tree = YamlTreeBuilder(text)
    cursor.offset = cursor.line_start = len(text.value) - len(text.value.removeprefix("\ufeff"))
    documents = [_document(cursor, tree)]
    while cursor.offset < len(text.value):
        documents.append(_document(cursor, tree))
    return documents[0] if len(documents) == 1 else tree.sequence(documents, 0, len(text.value))


def _document(cursor: YamlCursor, tree: YamlTreeBuilder) -> Value:
    """One document, with the markers after it."""
    tree.start_document()
    handles = _directives(cursor)
    explicit = cursor.at_marker() and cursor.peek() == "-"
    if explicit:
        cursor.offset += 3
    elif handles is not None:
        raise YamlError("`---` must follow a directive", cursor.offset)
    else:
        cursor.offset = cursor.line_start
    begin = CollectionStart.ON_NEXT_LINE if explicit else CollectionStart.ON_THIS_LINE
    value = NodeReader(cursor, tree, handles or frozenset()).read(-1, -1, 0, begin)
    cursor.skip_space()
    if not cursor.at_end():
        raise YamlError("something follows the end of the value", cursor.offset)
    while cursor.at_marker() and cursor.peek() == ".":
        cursor.offset += 3
        if not cursor.skip_line_rest():
            raise YamlError("something follows the end of the document", cursor.offset)
        cursor.skip_space()
    return value


def _directives(cursor: YamlCursor) -> frozenset[str] | None:
    """The tag handles that the directives before a document declare; None where there are no directives."""
    handles: set[str] | None = None
    cursor.skip_space()
    while cursor.peek() == "%" and cursor.column == 0:
        match = _DIRECTIVE.match(cursor.text, cursor.offset)
        if match is None:
            raise YamlError("the directive has no name", cursor.offset)
        handles = set() if handles is None else handles
        if tag := _TAG_DIRECTIVE.fullmatch(match[0]):
            handles.add(tag[1])
        cursor.offset = match.end()
        cursor.skip_space()
    return frozenset(handles) if handles is not None else None
