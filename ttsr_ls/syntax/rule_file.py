"""What a rule file is read into.

This is the editor's view: everything has a place, invalid things are kept beside the problems that they raise.
The engine's view, immutable rules without places, is made of it by `rules.registration`.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.text import Span


class ScalarValue(Struct, frozen=True):
    """A scalar of the frontmatter. `data` is what YAML makes of it: str, int, float, bool or None."""

    text: MappedText
    data: str | int | float | bool | None
    span: Span


class ListValue(Struct, frozen=True):
    """A list of the frontmatter."""

    items: tuple[Value, ...]
    span: Span


class MapValue(Struct, frozen=True):
    """A mapping of the frontmatter; rules have no use for one, but it has a place."""

    entries: tuple[Entry, ...]
    span: Span


Value = ScalarValue | ListValue | MapValue


class Entry(Struct, frozen=True):
    """A key and its value. `key` is as written, `name` after kebab-case became camelCase (spec F8)."""

    key: str
    name: str
    key_span: Span
    value: Value


class Frontmatter(Struct, frozen=True):
    """The block between the delimiters. `recovered` tells that YAML failed and lines were read one by one (spec F7)."""

    span: Span
    content_span: Span
    entries: tuple[Entry, ...]
    recovered: bool

    def entry(self, name: str) -> Entry | None:
        """The entry that counts for a canonical key, or None where it is not given."""
        return self.by_name().get(name)

    def by_name(self) -> dict[str, Entry]:
        """The entry that counts for each canonical key (spec F6, F8).

        Of one spelling the last counts. Of two spellings (`ast-condition`, `astCondition`) the one counts that
        appears later for the first time.
        """
        by_key = {entry.key: entry for entry in self.entries}
        return {entry.name: entry for entry in by_key.values()}


class ScopeToken(Struct, frozen=True):
    """One token of `scope`: `text`, `thinking`, any `tool`, or a named tool; `glob` is its path in parentheses.

    `stream` is None where the token means nothing (spec S2, invalid tokens).
    """

    text: MappedText
    stream: str | None
    tool: str | None
    glob: MappedText | None
    inferred: bool
    """The token was made from a glob shorthand in `condition` (spec C1), not written in `scope`."""


class Fields(Struct, frozen=True):
    """The fields of a rule as the omp dialect normalises them (spec K), each string with its place."""

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
    """A rule file as read. `name` and `path` are the caller's: nothing in the text decides them."""

    name: str
    path: str
    text: str
    frontmatter: Frontmatter | None
    fields: Fields
    body: MappedText
    """What the agent is told: comments removed and blanks trimmed (spec F3, F4)."""
    problems: tuple[Problem, ...]
