"""The common base of all values in session logs."""

from __future__ import annotations

from msgspec import Struct


class RecordedValue(Struct, frozen=True, tag=True, tag_field="kind", gc=False):
    """A value that is written to session logs, with the name of its class under `kind`."""
