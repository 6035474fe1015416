"""Entries of the ledger that several processes share."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from ttsr_ls.bridge.proxy.ledger.entry import LedgerEntry


class SharedEntry(Struct, frozen=True):
    """An entry, with the rules that it injected for `agent`.

    `rule_paths` are their paths. Entries of earlier versions have none: each name then stands for all rules of that
    name. A field that is added later needs a default.
    """

    entry: LedgerEntry
    rules: tuple[str, ...]
    agent: str
    rule_paths: tuple[str, ...] = ()


class SharedEntries(Protocol):
    """The shared entries of one session."""

    def append(self, entry: SharedEntry) -> None:
        """Stores an entry for all processes. Raises LogWriteError if the entry could not be stored."""

    def read(self) -> list[SharedEntry]:
        """The entries since the last call, those of this process included. Raises LogWriteError."""
