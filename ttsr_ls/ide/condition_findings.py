"""The linter's findings that explain why conditions do not match, for `why`, `test`, `explain`, and `list`."""

from __future__ import annotations

from types import MappingProxyType

from msgspec import Struct

from ttsr_ls.ide.markdown import inline_code
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.selection import CodeSelection
from ttsr_ls.matching.ast.search import PatternShapes
from ttsr_ls.syntax.dialects.file_roles import rule_name_of
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_NEVER = frozenset((
    "never-matches", "ast-never-evaluated", "ast-does-not-parse", "ast-several-nodes", "literal-quotes",
    "illegal-escape", "mutating-escape",
))  # fmt: skip
"""Errors that are reported before the other findings of a condition."""
_CERTAIN = frozenset(("never-matches", "ast-does-not-parse", "ast-several-nodes"))
"""Codes of patterns that match no text at all."""
_OF_RULE = frozenset(("ast-never-evaluated",))
"""Codes of all AST conditions of a rule. They are reported at the scope or the globs."""
_EXPLAINING = _NEVER | {
    "unmatchable-part", "never-in-json", "anchor-in-json", "boundary-in-json", "path-in-content", "glob-shorthand",
    "doubled-backslash", "foreign-regex-syntax", "truncated-value", "folded-list", "separator-in-pattern",
    "invisible-character", "ascii-word-boundary", "boundary-beside-punctuation", "words-in-class", "split-character",
    "tab-replaced", "comment-removed", "anchor-without-multiline", "ast-read-otherwise", "ast-foreign-syntax",
    "ast-trailing-code", "ast-small-metavariable", "regex-does-not-compile",
}  # fmt: skip
_SELECTION = CodeSelection(_EXPLAINING, MappingProxyType({}))

_MAX_MESSAGES = 3
"""The most findings that an explanation quotes; `check` lists all."""


class ConditionFindings(Struct, frozen=True):
    """Findings that explain why conditions do not match. `none_can_match` is true if no text matches any condition.

    `unmatchable` are the texts of the conditions that no text matches.
    """

    findings: tuple[Finding, ...]
    none_can_match: bool
    unmatchable: frozenset[str] = frozenset()

    @property
    def messages(self) -> tuple[str, ...]:
        """The messages of the findings, in Markdown, each once."""
        return tuple(dict.fromkeys(finding.message for finding in self.findings))

    @property
    def unmatchable_text(self) -> str:
        """One sentence that names the conditions that no text matches, in Markdown; empty if there are none."""
        names = [inline_code(text) for text in sorted(self.unmatchable)[:_MAX_MESSAGES]]
        if len(self.unmatchable) > _MAX_MESSAGES:
            names.append(f"{len(self.unmatchable) - _MAX_MESSAGES} more")
        verb = "matches" if len(self.unmatchable) == 1 else "match"
        return f"{' and '.join(names)} never {verb}: `ttsr-ls check` says why." if names else ""

    @property
    def explanation(self) -> str:
        """The first messages, three at most, as one text."""
        return " ".join(self.messages[:_MAX_MESSAGES])


def condition_findings(file: RuleFile, patterns: PatternShapes | None = None) -> ConditionFindings:
    """Checks a rule file of oh-my-pi as `check` does. Returns the findings about its conditions."""
    findings = check_file(file, LintContext(location=file.path, patterns=patterns, selection=_SELECTION))
    conditions = (*file.fields.conditions, *file.fields.ast_conditions)
    about = [
        finding
        for finding in findings
        if finding.code in _OF_RULE or any(_lies_in(finding.span, text.span) for text in conditions)
    ]
    dead = [text for text in conditions if _is_dead(text, about)]
    if any(finding.code in _OF_RULE for finding in about):
        dead = [text for text in conditions if text in dead or text in file.fields.ast_conditions]
    live_texts = {text.value for text in conditions if text not in dead}
    return ConditionFindings(
        tuple(sorted(about, key=lambda finding: finding.code not in _NEVER)),
        bool(conditions) and not live_texts,
        frozenset(text.value for text in dead) - live_texts,
    )


def single_pattern_findings(text: str, path: str, dialect: DialectId) -> ConditionFindings:
    """The findings about the pattern of a rule in a dialect with one: pi-ttsr, and old oh-my-pi."""
    file = read_rule(text, name=rule_name_of(path), path=path)
    findings = check_file(file, LintContext(location=path, dialect=dialect, selection=_SELECTION))
    about = sorted(findings, key=lambda finding: finding.code not in _NEVER)
    return ConditionFindings(tuple(about), any(finding.code in _CERTAIN for finding in about))


def _is_dead(text: MappedText, findings: list[Finding]) -> bool:
    return any(finding.code in _CERTAIN and _lies_in(finding.span, text.span) for finding in findings)


def _lies_in(inner: Span, outer: Span) -> bool:
    """Returns whether `inner` lies in `outer`, which may be without the quotes of its text."""
    return outer.start - 1 <= inner.start and inner.end <= outer.end + 1
