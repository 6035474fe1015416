"""Where in the grammar a node is read, which decides what may stand there."""

from __future__ import annotations

from enum import Enum, auto


class YamlContext(Enum):
    """Whether a node stands in brackets or braces, where `,`, `[`, `]`, `{` and `}` end a plain scalar."""

    BLOCK = auto()
    FLOW = auto()


class CollectionStart(Enum):
    """Where a block collection may begin: on the line of the indicator before it, or only on a further line."""

    ON_THIS_LINE = auto()
    ON_NEXT_LINE = auto()
