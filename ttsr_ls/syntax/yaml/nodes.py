"""Block nodes: values by indentation (YAML 1.2).

The depth is bounded, so recursion cannot exhaust the stack. Flow collections are in `flow`, scalars in `flow_scalars`
and `block_scalars`.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.rule_file import Value
from ttsr_ls.syntax.yaml.block_scalars import read_block_scalar
from ttsr_ls.syntax.yaml.context import CollectionStart, YamlContext
from ttsr_ls.syntax.yaml.cursor import YamlCursor
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.flow import MAX_DEPTH, FlowReader
from ttsr_ls.syntax.yaml.properties import join_properties, read_properties
from ttsr_ls.syntax.yaml.tree import NodeProperties, YamlTreeBuilder


class _Lead(Struct, frozen=True):
    """The indicators and properties before the content of a node.

    `outer` are the properties on lines before it, `inner` those on its own. `gap` is where the blanks before `start`
    begin, None where no block collection may begin on this line.
    """

    outer: NodeProperties | None
    inner: NodeProperties | None
    gap: int | None
    start: int


class NodeReader:
    """Parses the nodes of one document."""

    def __init__(self, cursor: YamlCursor, tree: YamlTreeBuilder, handles: frozenset[str]) -> None:
        self._cursor = cursor
        self._tree = tree
        self._handles = handles
        self._flow = FlowReader(cursor, tree, handles)

    def read(self, indent: int, sequence_indent: int, depth: int, begin: CollectionStart) -> Value:
        """Parses the node after an indicator, or at the start of a document.

        Further lines must be indented beyond column `indent`, a sequence beyond `sequence_indent`. `begin` says where a
        block collection may begin.
        """
        cursor = self._cursor
        if depth > MAX_DEPTH:
            raise YamlError("the values are nested too deeply", cursor.offset)
        empty_at = cursor.offset
        gap = empty_at if begin is CollectionStart.ON_THIS_LINE else None
        outer: NodeProperties | None = None
        inner: NodeProperties | None = None
        while True:
            if cursor.skip_space():
                gap = cursor.line_start
                outer, inner = join_properties(outer, inner), None
                if not cursor.at_end() and cursor.column <= (sequence_indent if cursor.at_indicator("-") else indent):
                    return self._tree.empty_node(empty_at, outer)
            if cursor.at_end():
                return self._tree.empty_node(empty_at, join_properties(outer, inner))
            if cursor.peek() not in ("&", "!"):
                break
            inner = read_properties(cursor, inner, self._handles, YamlContext.BLOCK)
            empty_at = cursor.offset
        lead = _Lead(outer, inner, gap, inner.start if inner is not None else cursor.offset)
        if cursor.peek() in ("-", "?", ":") and cursor.is_blank_at(1):
            return self._block_collection(lead, depth)
        if cursor.peek() in ("|", ">"):
            return self._tree.finish(join_properties(outer, inner), read_block_scalar(cursor, indent))
        return self._inline(indent, lead, depth)

    def _block_collection(self, lead: _Lead, depth: int) -> Value:
        """A block sequence, or a block mapping that begins with an explicit or an empty key."""
        cursor = self._cursor
        char = cursor.peek()
        column = self._column(lead, f"`{char}` cannot begin a value on this line")
        if char == "-":
            if lead.inner is not None:
                raise YamlError("a list cannot begin on the line of its tag or anchor", cursor.offset)
            return self._sequence(lead.outer, depth)
        if char == "?":
            return self._mapping(column, None, join_properties(lead.outer, lead.inner), depth)
        return self._mapping(column, self._tree.empty_node(cursor.offset, lead.inner), lead.outer, depth)

    def _inline(self, indent: int, lead: _Lead, depth: int) -> Value:
        """A scalar, an alias or a flow collection; or the block mapping of which it turns out to be the first key."""
        cursor = self._cursor
        start, line = cursor.offset, cursor.line_start
        self._tree.begin_collection(lead.outer)
        node = self._flow.read(indent, lead.inner, depth, YamlContext.BLOCK)
        end = cursor.offset
        cursor.skip_blanks()
        if cursor.at_indicator(":"):
            if cursor.line_start != line and lead.gap is None:
                raise YamlError(
                    "an indented line goes on with the value before it, which lacks quotes", cursor.line_start
                )
            if cursor.line_start != line:
                raise YamlError("a key must stand on one line", start)
            column = self._column(lead, "a value with `: ` in it needs quotes")
            return self._mapping(column, self._tree.finish(lead.inner, node), lead.outer, depth)
        cursor.offset = end
        if not cursor.skip_line_rest():
            raise YamlError("something follows the end of the value", cursor.offset)
        return self._tree.finish(join_properties(lead.outer, lead.inner), node)

    def _column(self, lead: _Lead, otherwise: str) -> int:
        """Returns the column at which a block collection begins. `otherwise` is the error if none can begin there."""
        cursor = self._cursor
        if lead.gap is None:
            raise YamlError(otherwise, cursor.offset)
        tab = cursor.text.find("\t", lead.gap, lead.start)
        if tab >= 0:
            raise YamlError("a tab cannot be used for indentation", tab)
        return lead.start - cursor.line_start

    def _sequence(self, properties: NodeProperties | None, depth: int) -> Value:
        """A block sequence; the cursor stands on its first `-`."""
        cursor = self._cursor
        self._tree.begin_collection(properties)
        start, column = cursor.offset, cursor.column
        items: list[Value] = []
        end = start
        while cursor.at_indicator("-"):
            cursor.offset += 1
            items.append(self.read(column, column, depth + 1, CollectionStart.ON_THIS_LINE))
            end = max(cursor.offset if items else start, end)
            if not self._is_at_next(column):
                break
        return self._tree.finish(properties, self._tree.sequence(items, start, end))

    def _mapping(self, column: int, first_key: Value | None, properties: NodeProperties | None, depth: int) -> Value:
        """A block mapping at `column`. The cursor stands on the `:` of the first key, or on the first entry."""
        cursor = self._cursor
        self._tree.begin_collection(properties)
        start = cursor.line_start + column
        pairs: list[tuple[Value, Value]] = []
        key = first_key
        while True:
            explicit = key is None and cursor.at_indicator("?")
            if explicit:
                cursor.offset += 1
                key = self.read(column, column - 1, depth + 1, CollectionStart.ON_THIS_LINE)
            elif key is None:
                key = self._key(column, depth)
            after_key = cursor.offset
            if explicit and not (self._is_at_next(column) and cursor.at_indicator(":")):
                pairs.append((key, self._tree.empty_node(after_key, None)))
            else:
                cursor.offset += 1
                begin = CollectionStart.ON_THIS_LINE if explicit else CollectionStart.ON_NEXT_LINE
                pairs.append((key, self.read(column, column - 1, depth + 1, begin)))
            end = cursor.offset
            key = None
            if not self._is_at_next(column) or cursor.at_indicator("-"):
                break
        return self._tree.finish(properties, self._tree.mapping(pairs, start, end))

    def _key(self, column: int, depth: int) -> Value:
        """A key on one line; the cursor is left on its `:`."""
        cursor = self._cursor
        start, line = cursor.offset, cursor.line_start
        properties: NodeProperties | None = None
        while cursor.peek() in ("&", "!"):
            properties = read_properties(cursor, properties, self._handles, YamlContext.BLOCK)
            cursor.skip_blanks()
        if cursor.at_indicator(":"):
            return self._tree.empty_node(cursor.offset, properties)
        key = self._tree.finish(properties, self._flow.read(column, properties, depth, YamlContext.BLOCK))
        cursor.skip_blanks()
        if not cursor.at_indicator(":"):
            raise YamlError("`key: value` is expected here", start)
        if cursor.line_start != line:
            raise YamlError("a key must stand on one line", start)
        return key

    def _is_at_next(self, column: int) -> bool:
        """Moves to the next content. Returns whether it is at `column`, and so belongs to the same collection."""
        cursor = self._cursor
        cursor.skip_space()
        if cursor.at_end() or cursor.column < column:
            return False
        if cursor.column > column:
            raise YamlError("the line is indented deeper than the entries before it", cursor.offset)
        return True
