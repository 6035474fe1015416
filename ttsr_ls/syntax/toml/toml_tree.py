"""The keys and values of a TOML text with their places. The text need not be finished: what is broken has no value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ttsr_ls.text import Span

TomlPath = tuple[str | int, ...]
"""The keys and list indices from the document to a value."""


class Unfinished:
    """Stands for an item of a list that cannot be read yet."""


UNFINISHED = Unfinished()


class TomlNode(Struct, frozen=True):
    """A key, the header of a table, or an item of a list.

    `key` is the last part of the key; that of an item is the item itself. `value` begins behind the `=`; it is None
    where nothing follows the key, and for tables with a header.
    """

    path: TomlPath
    key: Span
    value: Span | None
    is_header: bool = False

    @property
    def span(self) -> Span:
        """The value where there is one, else the key."""
        return self.key if self.value is None or not len(self.value) else self.value


class TomlTable(Struct, frozen=True):
    """A table with a header: its path, and the offset at which its lines begin. It ends where the next one begins."""

    path: TomlPath
    start: int


class TomlTree(Struct, frozen=True):
    """A parsed text of TOML. `unclosed` is the bracket or quote that is never closed, `data` all that was read."""

    nodes: tuple[TomlNode, ...]
    tables: tuple[TomlTable, ...]
    data: Mapping[str, Any]
    unclosed: Span | None

    def find(self, path: TomlPath) -> TomlNode | None:
        """Returns the last node with this key path; None if there is none."""
        return next((node for node in reversed(self.nodes) if node.path == path), None)

    def table_at(self, offset: int) -> TomlPath:
        """The path of the table to which the lines at an offset belong."""
        return next((table.path for table in reversed(self.tables) if table.start <= offset), ())
