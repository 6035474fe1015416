"""The grammatical context of a node, which decides which constructs are allowed in it."""

from __future__ import annotations

from enum import Enum, auto


class YamlContext(Enum):
    """The context of a node: inside brackets or braces, where `,`, `[`, `]`, `{` and `}` end a plain scalar, or
    outside."""

    BLOCK = auto()
    FLOW = auto()


class CollectionStart(Enum):
    """The lines on which a block collection may begin: that of the preceding indicator, or only later ones."""

    ON_THIS_LINE = auto()
    ON_NEXT_LINE = auto()
