"""The information that a check has besides the rule file itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from ttsr_ls.lint.limits import LINT_LIMITS, LintLimits
from ttsr_ls.lint.selection import EVERYTHING, CodeSelection
from ttsr_ls.rules.settings.layers import SettingsLayers
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.syntax.dialects.table import DialectId

if TYPE_CHECKING:
    from ttsr_ls.matching.ast.search import PatternShapes


class NamedRule(Struct, frozen=True):
    """A rule file that an agent would load: its name, and its path for messages."""

    name: str
    path: str


class IgnoringLine(Struct, frozen=True):
    """The line because of which git ignores the checked file: its pattern, its file, and its number from 1."""

    path: str
    line: int
    pattern: str


class ProjectFolders(Protocol):
    """The folders of the project of a rule. Paths are relative to it, with slashes."""

    def has(self, path: str) -> bool:
        """Returns whether the project has a folder. Never raises."""

    def below(self, path: str) -> tuple[str, ...]:
        """Returns the names of the folders directly in a folder, or none. Never raises."""


class LintContext(Struct, frozen=True):
    """The environment of a check.

    `load_order` has the rules that are loaded together, in order of priority; it may contain the checked file itself.
    `location` is the absolute path of the checked file, None if only its relative path is known. `layers` are the
    project's own settings files. `ignored_by` is None if git does not ignore the file.
    """

    provider: str = "native"
    load_order: tuple[NamedRule, ...] = ()
    settings: Settings = field(default_factory=Settings)
    location: str | None = None
    layers: SettingsLayers = field(default_factory=lambda: SettingsLayers(()))
    ignored_by: IgnoringLine | None = None
    has_byte_order_mark: bool = False
    """Whether a byte order mark precedes the text. Most programs drop it; the others see no frontmatter."""
    limits: LintLimits = LINT_LIMITS
    selection: CodeSelection = EVERYTHING
    """The codes and severities that the project's configuration selects."""
    dialect: DialectId | None = None
    """The configured dialect of a file whose folder does not determine it."""
    patterns: PatternShapes | None = None
    """Determines the shape of AST patterns; None if they cannot be parsed."""
    folders: ProjectFolders | None = None
    """The folders of the project; None for a rule outside of any project."""
