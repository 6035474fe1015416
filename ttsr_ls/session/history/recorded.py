"""What everything has in common that session logs hold."""

from __future__ import annotations

from msgspec import Struct


class Recorded(Struct, frozen=True, tag=True, tag_field="kind", gc=False):
    """A value that is written to session logs, told apart from others by the name of its class under `kind`."""
