"""The one table of finding codes: how bad each is, and in one line what it says.

Every other place that speaks of codes (findings, pages, `explain`, the documentation, the editor) reads this table.
It must not know how a finding is found.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ttsr_ls.errors import UsageError
from ttsr_ls.lint.finding import Severity

_PAGES = Path(__file__).parent / "pages"


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One code. `summary` is one line without a full stop; `fix_title` names the mending, in the imperative."""

    code: str
    severity: Severity
    summary: str
    fix_title: str

    @property
    def page_path(self) -> Path:
        """Where the page of the code is installed."""
        return _PAGES / f"{self.code}.md"

    @property
    def page(self) -> str:
        """The page of the code, in Markdown."""
        return self.page_path.read_text(encoding="utf-8")

    @property
    def url(self) -> str:
        """The address of the page. It is the installed file, so it opens without a network and fits the version."""
        return self.page_path.as_uri()


def _error(code: str, summary: str, fix_title: str) -> CatalogueEntry:
    return CatalogueEntry(code, Severity.ERROR, summary, fix_title)


def _warning(code: str, summary: str, fix_title: str) -> CatalogueEntry:
    return CatalogueEntry(code, Severity.WARNING, summary, fix_title)


def _info(code: str, summary: str, fix_title: str) -> CatalogueEntry:
    return CatalogueEntry(code, Severity.INFO, summary, fix_title)


CATALOGUE = (
    # Frontmatter
    _error(
        "frontmatter-not-recognised", "The file has no frontmatter that an agent would see", "Repair the frontmatter"
    ),
    _error("yaml-degraded", "The frontmatter is not valid YAML, so parts of it are lost", "Repair the YAML"),
    _error("illegal-escape", "A double-quoted string has an escape that YAML does not know", "Use single quotes"),
    _error(
        "mutating-escape",
        "A double-quoted string has an escape that YAML turns into another character",
        "Use single quotes",
    ),
    _error("truncated-value", "A value is cut off or read as something else than text", "Quote the value"),
    _error("literal-quotes", "Quotes became part of a value", "Remove the extra quotes"),
    _warning("comment-removed", "An HTML comment is deleted before the rule is read", "Remove the comment"),
    _warning("tab-replaced", "A tab in the frontmatter is replaced by two spaces", "Replace the tab"),
    _warning("invalid-utf8", "The file is not valid UTF-8", "Save the file as UTF-8"),
    # Keys and values
    _warning("unknown-key", "The key is not one that rules have, so it does nothing", "Rename the key"),
    _warning("duplicate-key", "The key is given more than once; only the last one counts", "Remove the earlier entry"),
    _warning("legacy-key", "The key is an old spelling of `condition`", "Rename the key to condition"),
    _warning("wrong-value-type", "The value has a type that the key does not take", "Change the value"),
    _error("invalid-interrupt-mode", "`interruptMode` has a value that does not exist", "Use a valid interruptMode"),
    _info("inert-name", "`name` does nothing: a rule is called as its file is", "Remove the name"),
    # Conditions
    _error("regex-does-not-compile", "A condition is not a valid ECMAScript regular expression", "Repair the pattern"),
    _error("matches-everything", "A condition matches every text, even the empty one", "Make the pattern specific"),
    _warning(
        "glob-shorthand", "A condition is taken as a file glob, not as a regular expression", "Write the glob as scope"
    ),
    _warning(
        "end-sensitive-condition",
        "A condition can fire on a beginning of a text that it does not match",
        "Make the decision part of the match",
    ),
    _warning("redundant-condition", "A condition is given more than once", "Remove the repeated condition"),
    # Scope, globs, interruption
    _error("invalid-scope-token", "A scope token means nothing and is skipped", "Repair the scope token"),
    _error("unreachable-scope", "No token of the scope is valid, so the rule is not registered", "Repair the scope"),
    _warning("bare-word-tool", "A bare word in the scope is taken as the name of a tool", "Use a stream or tool name"),
    _error("globs-on-prose", "`globs` with a scope that has no file paths: the rule never fires", "Remove the globs"),
    _warning(
        "never-interrupts",
        "`interruptMode` does not fit the scope, so the rule never interrupts",
        "Use another interruptMode",
    ),
    # The rule as a whole
    _error("empty-body", "The rule has nothing to tell the agent and is dropped", "Write the rule's text"),
    _warning("no-trigger", "The rule has nothing to fire on", "Add a condition"),
    _warning("duplicate-name", "Another rule of the same folder has this name", "Rename the file"),
    _warning("shadowed-name", "A rule that is loaded earlier has this name", "Rename the file"),
)

_BY_CODE = {entry.code: entry for entry in CATALOGUE}


def find(code: str) -> CatalogueEntry | None:
    """The entry of a code, or None where no code is so called."""
    return _BY_CODE.get(code)


def entry_of(code: str) -> CatalogueEntry:
    """The entry of a code that a check reports. Raises `UsageError` for a code that the table does not have."""
    entry = _BY_CODE.get(code)
    if entry is None:
        raise UsageError(f"the lint catalogue has no code {code!r}: add it to ttsr_ls/lint/catalogue.py")
    return entry
