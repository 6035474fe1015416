"""One completion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from msgspec import Struct

from ttsr_ls.text import Span

WorkspaceFileNames = Callable[[], Sequence[str]]
"""Lists the files of the workspace, relative to its folder. Slow; called only for completions that depend on it."""


class CompletionKind(Enum):
    """The kind of text that a completion inserts."""

    RULE = "rule"
    KEY = "key"
    VALUE = "value"
    TOOL = "tool"
    GLOB = "glob"
    PATTERN = "pattern"


class Completion(Struct, frozen=True):
    """A completion: `text` may replace `span`; `documentation` is Markdown. The text of a snippet has placeholders
    (LSP).
    """

    kind: CompletionKind
    label: str
    text: str
    span: Span
    documentation: str
    is_snippet: bool = False
    detail: str | None = None
    """A few words behind the label, for labels that need an explanation."""
    filter_text: str | None = None
    """The text that an editor compares with the typed text from the start of `span` on; None: the label."""
