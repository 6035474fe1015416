"""Findings and their fixes: the one shape in which every check reports."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.text import Span


class Severity(StrEnum):
    """How bad it is: an error means that the rule does not do what its text says."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    HINT = "hint"


class Safety(StrEnum):
    """Whether a fix keeps what the author meant (`safe`) or is a guess at it (`unsafe`)."""

    SAFE = "safe"
    UNSAFE = "unsafe"


class Edit(Struct, frozen=True):
    """Replaces `span` by `text`."""

    span: Span
    text: str


class Fix(Struct, frozen=True):
    """A set of edits that fixes a finding; `title` says what is done, in the imperative."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety


class RelatedLocation(Struct, frozen=True):
    """Another place that a finding speaks of; `path` is None for the file of the finding itself."""

    message: str
    span: Span
    path: str | None = None


class Finding(Struct, frozen=True):
    """A problem at `span` of a rule file.

    `message` is full sentences: what is wrong, what happens, what to do.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    fixes: tuple[Fix, ...] = ()
    related: tuple[RelatedLocation, ...] = ()
