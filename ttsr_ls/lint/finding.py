"""Findings and their fixes, the common result of all checks."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.text import LineIndex, Span, shared_line_index


class Severity(StrEnum):
    """The severity of a finding. An error means that the rule does not do what its text says."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    HINT = "hint"


class Safety(StrEnum):
    """The safety of a fix: it keeps the author's meaning (`safe`) or guesses it (`unsafe`)."""

    SAFE = "safe"
    UNSAFE = "unsafe"


class Edit(Struct, frozen=True, gc=False):
    """A change of a file that replaces `span` by `text`."""

    span: Span
    text: str


class Fix(Struct, frozen=True, gc=False):
    """A set of edits that fixes a finding. `title` describes it, in the imperative.

    `scope_tokens` are the tokens that it writes into the scope. Two fixes that write the same token are not applied
    together, because the scope would repeat it.
    """

    title: str
    edits: tuple[Edit, ...]
    safety: Safety
    scope_tokens: frozenset[str] = frozenset()


class RelatedLocation(Struct, frozen=True, gc=False):
    """Another location that a finding refers to. `path` is None for the file of the finding itself.

    `text` is the text of the file at `path`. Without it the location is the whole file, as lines need the text.
    """

    message: str
    span: Span
    path: str | None = None
    text: str | None = None

    def index(self, of_finding: LineIndex) -> LineIndex | None:
        """Returns the line index of the location's file; None if the location is a whole file."""
        if self.path is None:
            return of_finding
        return None if self.text is None else shared_line_index(self.text)


class Finding(Struct, frozen=True, gc=False):
    """A problem at `span` of a rule file. `message` is in full sentences: the problem, its effect, and the
    correction.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    fixes: tuple[Fix, ...] = ()
    related: tuple[RelatedLocation, ...] = ()
