"""Flow nodes: aliases, scalars on one or more lines, and collections in brackets and braces."""

from __future__ import annotations

from ttsr_ls.syntax.rule_file import Value
from ttsr_ls.syntax.yaml.context import YamlContext
from ttsr_ls.syntax.yaml.cursor import YamlCursor
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.flow_scalars import read_double_quoted, read_plain, read_single_quoted
from ttsr_ls.syntax.yaml.lexeme import Lexeme
from ttsr_ls.syntax.yaml.properties import read_name, read_properties
from ttsr_ls.syntax.yaml.tree import NodeProperties, YamlTreeBuilder

MAX_DEPTH = 32
"""The deepest nesting of collections, so that recursion is bounded: each level takes five frames of the stack.

The reference stops at some thousands. Rules need three at most.
"""

_CLOSING = {"[": "]", "{": "}"}


class FlowReader:
    """Parses flow nodes. Lines after the first must be indented beyond column `indent`."""

    def __init__(self, cursor: YamlCursor, tree: YamlTreeBuilder, handles: frozenset[str]) -> None:
        self._cursor = cursor
        self._tree = tree
        self._handles = handles
        self._opened: list[int] = []
        self._key_line = 0
        self._scalar_end = -1
        self._quoted_end = -1

    def read(self, indent: int, properties: NodeProperties | None, depth: int, context: YamlContext) -> Lexeme | Value:
        """Parses the node that begins here. `properties` were read before it; the caller applies them."""
        cursor = self._cursor
        char = cursor.peek()
        if char in _CLOSING:
            self._tree.begin_collection(properties)
            return self._collection(indent, depth + 1)
        if char == '"':
            return read_double_quoted(cursor, indent)
        if char == "'":
            return read_single_quoted(cursor, indent)
        if char == "*":
            if properties is not None:
                raise YamlError("an alias cannot have a tag or an anchor", cursor.offset)
            start = cursor.offset
            return self._tree.alias(read_name(cursor), start, cursor.offset)
        lexeme = read_plain(cursor, indent, context)
        if lexeme is None:
            label = "a backtick" if char == "`" else f"`{char}`"
            raise YamlError(f"a value cannot begin with {label}" if char else "a value is missing", cursor.offset)
        return lexeme

    def _collection(self, indent: int, depth: int) -> Value:
        """A sequence or a mapping with its brackets."""
        cursor = self._cursor
        if depth > MAX_DEPTH:
            raise YamlError("the values are nested too deeply", cursor.offset)
        start, closer = cursor.offset, _CLOSING[cursor.peek()]
        self._opened.append(start)
        cursor.offset += 1
        items: list[Value] = []
        pairs: list[tuple[Value, Value]] = []
        while self._skip_space(indent) != closer:
            if cursor.peek() in ",]}":
                raise YamlError(f"`{cursor.peek()}` stands where a value is expected", cursor.offset)
            if closer == "}":
                pairs.append(self._pair(indent, depth))
            else:
                items.append(self._item(indent, depth))
            if self._skip_space(indent) == closer:
                break
            if cursor.peek() != ",":
                raise YamlError(f"`,` or `{closer}` is missing", cursor.offset)
            cursor.offset += 1
        cursor.offset += 1
        self._opened.pop()
        if closer == "}":
            return self._tree.mapping(pairs, start, cursor.offset)
        return self._tree.sequence(items, start, cursor.offset)

    def _skip_space(self, indent: int) -> str:
        """Moves the cursor to the next content, and returns its first character."""
        cursor = self._cursor
        after_scalar = cursor.offset == self._scalar_end
        crossed = cursor.skip_space()
        if cursor.at_end():
            raise YamlError("a bracket is not closed", self._opened[-1])
        char = cursor.peek()
        if char == "#":
            raise YamlError("a blank must stand before a comment", cursor.offset)
        # The reference's runtime ignores the indentation of closing brackets, and of content after a scalar.
        if crossed and char not in "]}" and not after_scalar and cursor.column <= indent:
            raise YamlError("the lines of a list in brackets must be indented", cursor.offset)
        return char

    def _item(self, indent: int, depth: int) -> Value:
        """An entry of a sequence: a value, or a single pair, which is a mapping of its own."""
        cursor = self._cursor
        start = cursor.offset
        explicit = cursor.at_indicator("?")
        key = self._key(indent, depth)
        end = cursor.offset
        if not self._is_at_value(indent):
            if explicit:
                return self._tree.mapping([(key, self._tree.empty_node(end, None))], start, end)
            return key
        if not explicit and cursor.line_start != self._key_line:
            raise YamlError("a key in a list must stand on one line", start)
        value = self._value(indent, depth)
        return self._tree.mapping([(key, value)], start, cursor.offset)

    def _pair(self, indent: int, depth: int) -> tuple[Value, Value]:
        """An entry of a mapping; without `:` its value is null."""
        key = self._key(indent, depth)
        end = self._cursor.offset
        if not self._is_at_value(indent):
            return key, self._tree.empty_node(end, None)
        return key, self._value(indent, depth)

    def _key(self, indent: int, depth: int) -> Value:
        """Parses a key."""
        cursor = self._cursor
        if cursor.at_indicator("?"):
            cursor.offset += 1
            self._skip_space(indent)
        if self._is_at_colon():
            self._key_line = cursor.line_start
            return self._tree.empty_node(cursor.offset, None)
        return self._node(indent, depth)

    def _node(self, indent: int, depth: int) -> Value:
        cursor = self._cursor
        properties: NodeProperties | None = None
        while cursor.peek() in ("&", "!"):
            properties = read_properties(cursor, properties, self._handles, YamlContext.FLOW)
            self._skip_space(indent)
        line = cursor.line_start
        if cursor.peek() in (",", "]", "}") or self._is_at_colon():
            self._key_line = line
            return self._tree.empty_node(cursor.offset, properties)
        quoted = cursor.peek() in ('"', "'", "[", "{")
        node = self.read(indent, properties, depth, YamlContext.FLOW)
        if quoted:
            self._quoted_end = cursor.offset
        if isinstance(node, Lexeme):
            self._scalar_end = cursor.offset
        self._key_line = line
        return self._tree.finish(properties, node)

    def _value(self, indent: int, depth: int) -> Value:
        """The value after a `:`, which the cursor stands on."""
        cursor = self._cursor
        cursor.offset += 1
        begin = cursor.offset
        self._skip_space(indent)
        if cursor.peek() in (",", "]", "}"):
            return self._tree.empty_node(begin, None)
        return self._node(indent, depth)

    def _is_at_value(self, indent: int) -> bool:
        """Moves the cursor past a key. Returns whether a `:` follows; after quotes and brackets it needs no blank."""
        quoted = self._cursor.offset == self._quoted_end
        self._skip_space(indent)
        return self._is_at_colon() or (quoted and self._cursor.peek() == ":")

    def _is_at_colon(self) -> bool:
        cursor = self._cursor
        return cursor.peek() == ":" and (cursor.is_blank_at(1) or cursor.peek(1) in ",[]{}")
