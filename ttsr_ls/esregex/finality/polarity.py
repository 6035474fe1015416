"""The polarity under which a node is read while the rest of a text is unknown."""

from __future__ import annotations

from enum import Enum


class Polarity(Enum):
    """The reading of a node: what must match, or what may match."""

    MUST = "true for every continuation"
    MAY = "true for some continuation"

    @property
    def opposite(self) -> Polarity:
        """The polarity of the body of a negated lookaround."""
        return Polarity.MAY if self is Polarity.MUST else Polarity.MUST
