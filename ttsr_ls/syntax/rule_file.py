"""The parsed form of a rule file.

This is the editor's view: everything has a span, and invalid values are kept with their problems. `rules.registration`
builds the engine's view from it: immutable rules without spans.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.text import Span


class ScalarValue(Struct, frozen=True):
    """A scalar of the frontmatter. `data` is its YAML value: str, int, float, bool or None."""

    text: MappedText
    data: str | int | float | bool | None
    span: Span


class ListValue(Struct, frozen=True):
    """A list of the frontmatter."""

    items: tuple[Value, ...]
    span: Span


class MapValue(Struct, frozen=True):
    """A mapping of the frontmatter. Rules do not use mappings, but the mapping has a span."""

    entries: tuple[Entry, ...]
    span: Span


Value = ScalarValue | ListValue | MapValue


class Entry(Struct, frozen=True):
    """A key and its value. `key` is as written; `name` is converted from kebab-case to camelCase (spec F8)."""

    key: str
    name: str
    key_span: Span
    value: Value


class Frontmatter(Struct, frozen=True):
    """The block between the delimiters. `recovered` is true if YAML failed and the lines were read one by one
    (spec F7).
    """

    span: Span
    content_span: Span
    entries: tuple[Entry, ...]
    recovered: bool

    def entry(self, name: str) -> Entry | None:
        """Returns the effective entry for a canonical key; None if it is not given."""
        return self.by_name().get(name)

    def by_name(self) -> dict[str, Entry]:
        """Returns the effective entry for each canonical key (spec F6, F8).

        Of one spelling, the last entry is effective. Of two spellings (`ast-condition`, `astCondition`), the spelling
        is effective whose first entry comes later.
        """
        by_key = {entry.key: entry for entry in self.entries}
        return {entry.name: entry for entry in by_key.values()}


class ScopeToken(Struct, frozen=True):
    """One token of `scope`: `text`, `thinking`, any `tool`, or a named tool. `glob` is its path in parentheses.

    `stream` is None if the token is invalid (spec S2, invalid tokens).
    """

    text: MappedText
    stream: str | None
    tool: str | None
    glob: MappedText | None
    inferred: bool
    """The token was made from a glob shorthand in `condition` (spec C1), not written in `scope`."""


class Fields(Struct, frozen=True):
    """The fields of a rule as the omp dialect normalises them (spec K), each string with its span."""

    enabled: bool
    description: str | None
    globs: tuple[MappedText, ...]
    always_apply: bool
    conditions: tuple[MappedText, ...]
    """After C1; a lone glob shorthand leaves one condition `.*`, mapped to the shorthand."""
    ast_conditions: tuple[MappedText, ...]
    question: MappedText | None
    scope: tuple[ScopeToken, ...]
    """Written tokens and inferred ones in order; empty means the default scope (spec S3)."""
    agents: tuple[MappedText, ...]
    interrupt_mode: str | None
    shorthand_globs: tuple[MappedText, ...]
    """The condition tokens that were taken as file globs (spec C1)."""


class RuleFile(Struct, frozen=True):
    """A parsed rule file. The caller supplies `name` and `path`; they do not depend on the text."""

    name: str
    path: str
    text: str
    frontmatter: Frontmatter | None
    fields: Fields
    body: MappedText
    """The text that is injected: comments removed and blanks trimmed (spec F3, F4)."""
    problems: tuple[Problem, ...]
