"""The counts of a scan for its summary."""

from __future__ import annotations

from collections import Counter

from ttsr_ls.matching.ast.search import AstFailure
from ttsr_ls.store.discovery.scan_tree import UnreadReason


class Counts:
    """`matches` counts each rule once in a file, `places` each place where one matches."""

    def __init__(self) -> None:
        self.total = 0
        self.scanned = 0
        self.matched = 0
        self.matches = 0
        self.places = 0
        self.silenced = 0
        self.known = 0
        self.irrelevant = 0
        self.unread: Counter[UnreadReason] = Counter()
        self.unparsed: dict[str, AstFailure] = {}
        self.incomplete: list[tuple[str, str]] = []
        """Files and rules of which matches may be missing: there are too many, or searching took too long."""
