"""A rule test: a text, how it is streamed, and whether the rule must fire on it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source
from ttsr_ls.text import Span

_MAX_TITLE_LENGTH = 60


class CaseKind(StrEnum):
    """The expectation of a case; the values are the keys of a test file."""

    VALID = "valid"
    """The rule stays silent."""
    INVALID = "invalid"
    """The rule fires."""


class CaseOrigin(StrEnum):
    """The place where a case is written."""

    FILE = "file"
    """In a test file."""
    BODY = "body"
    """In the rule's own body."""


class StreamSpec(Struct, frozen=True):
    """The stream of a case. A part that is None is chosen from the rule's scope."""

    source: Source | None = None
    tool: str | None = None
    path: str | None = None
    matching: Matching | None = None

    @property
    def is_open(self) -> bool:
        """True if neither source, tool nor path is given."""
        return self.source is None and self.tool is None and self.path is None


class CaseExpectation(Struct, frozen=True):
    """The expectations for the first trigger. An expectation that the case does not have is None.

    `condition` is the condition's text, `offset` the length in code points of the text on which the rule fires, and
    `line` the line, counted from 1, on which the match begins.
    """

    condition: str | None = None
    offset: int | None = None
    line: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Returns the expectations that the case has, as machine output shows them."""
        expected = {"condition": self.condition, "offset": self.offset, "line": self.line}
        return {key: value for key, value in expected.items() if value is not None}


class RuleTestCase(Struct, frozen=True):
    """One case.

    `deltas` are the parts of the text in the order in which they are streamed. `number` counts the cases of a kind from
    1. `span` is the case in its file, and `expected_spans` are the values of its expectations, by their keys.
    """

    kind: CaseKind
    origin: CaseOrigin
    number: int
    name: str | None
    deltas: tuple[str, ...]
    stream: StreamSpec
    expected: CaseExpectation
    span: Span
    expected_spans: Mapping[str, Span] = {}
    language: str = ""
    """The language of a code block in a body; empty if none is given."""

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self.deltas)

    @property
    def label(self) -> str:
        """The name of the case in reports: `invalid 3`, with the case's own name if it has one."""
        where = "" if self.origin is CaseOrigin.FILE else "example "
        numbered = f"{where}{self.kind} {self.number}"
        return numbered if self.name is None else f"{numbered}: {self.name}"

    @property
    def title(self) -> str:
        """The expected result, and the name of the case or the beginning of its text."""
        expected = "silent" if self.kind is CaseKind.VALID else "fires"
        if self.name is not None:
            return f"{expected}: {self.name}"
        first, *others = self.text.strip().split("\n", 1)
        shown = first.strip()
        is_cut = bool(others) or len(shown) > _MAX_TITLE_LENGTH
        return f"{expected}: {shown[:_MAX_TITLE_LENGTH]}{' …' if is_cut else ''}"


class Replacement(Struct, frozen=True):
    """A text that a fix writes in place of a span of a test file."""

    span: Span
    text: str


class CaseFix(Struct, frozen=True):
    """Replacements that correct a problem of a test file. `title` describes them, in the imperative."""

    title: str
    replacements: tuple[Replacement, ...]


class CaseProblem(Struct, frozen=True):
    """An invalid part of a test file at `span`. `message` states the problem and the correction."""

    message: str
    span: Span
    fix: CaseFix | None = None


class CaseFile(Struct, frozen=True):
    """A test file: its valid cases, and the problems of the others."""

    cases: tuple[RuleTestCase, ...]
    problems: tuple[CaseProblem, ...]
