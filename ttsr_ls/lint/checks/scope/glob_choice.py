"""Finds negated globs that exclude nothing, and pairs of globs that exclude everything (spec G1, G2)."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.globs.glob_overlap import may_match_in_same_folder, may_match_same_name
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, RelatedLocation
from ttsr_ls.lint.fixes.entry_edits import remove_entry, remove_scope_token, rewrite_scalar_part
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.lint.scalars import replaced_part
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.stream import Source
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import RuleFile, ScopeToken
from ttsr_ls.syntax.scope.tool_names import PATHLESS_TOOLS

_NEGATED = "ineffective-negation"
_DISJOINT = "disjoint-globs"
_PATHLESS = "glob-without-paths"
_ON_PROSE = "globs-on-prose"
_PROSE = frozenset((Source.TEXT, Source.THINKING))
_TRUE_OF_ALL = (
    "A path passes if the path or the file name matches, and nearly every path or file name matches this `!`, so it "
    "excludes nothing. `!**/` with a file name, which may contain `*`, excludes files, and `!{**/tests/**,*}` a folder."
)
_MAX_GLOBS = 40
"""Nobody reads more findings of one code, and each pair of globs is compared."""


def check_negation(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports negated globs, in `globs` and in tokens of the scope, that exclude nothing."""
    globs = [text for text in file.fields.globs if text.value.strip()]
    for text in globs:
        glob = text.value.strip()
        if not _is_negated(glob):
            continue
        if len(globs) > 1:
            message = (
                "Globs are alternatives: a path passes if any of them matches, so this one excludes nothing and "
                "admits nearly every other path. Name the files to include, without `!`."
            )
            yield report(_NEGATED, message, text.span)
        elif not _excludes(glob):
            yield _ineffective(file, text)
    for token in file.fields.scope:
        if token.glob is None or token.inferred or not _is_negated(token.glob.value):
            continue
        others = (other for other in file.fields.scope if other is not token and _is_beside(token, other))
        other = next(others, None)
        if other is not None:
            message = (
                f"Tokens are alternatives: {code(other.text.value, 40)} names the same tool, so this one excludes "
                "nothing and admits nearly every other path. Name the files to include, without `!`."
            )
            yield report(_NEGATED, message, token.glob.span)
        elif not _excludes(token.glob.value):
            yield _ineffective(file, token.glob)


def _is_negated(glob: str) -> bool:
    return glob.startswith("!") and not glob.startswith(("!!", "!("))


def _excludes(glob: str) -> bool:
    """Returns whether a negated glob excludes any path in all its forms: relative, absolute, and the file name."""
    if not glob.startswith("!{"):
        return glob == "!**" or _covers_all_forms(glob.removeprefix("!"))
    alternatives = glob.removeprefix("!{").removesuffix("}").split(",")
    if not glob.endswith("}") or set("{}[\\") & set("".join(alternatives)):
        return True  # Not examined.
    return any(_covers_all_forms(alternative) or alternative == "**" for alternative in alternatives) or (
        any("/" not in alternative for alternative in alternatives)
        and any(alternative.startswith(("**/", "/")) for alternative in alternatives)
    )


def _covers_all_forms(glob: str) -> bool:
    return glob.startswith("**/") and "/" not in glob.removeprefix("**/")


def _effective_negation(glob: str) -> str | None:
    """Returns a glob that excludes the intended files, by their name or by their folder.

    For a folder, `**/` covers the relative and the absolute path, and `*` the file name.
    """
    suggestion = glob.removeprefix("!").removeprefix("./")
    if "/" not in suggestion:
        return f"!**/{suggestion}" if suggestion else None
    if set("{},[\\") & set(suggestion):
        return None
    anywhere = suggestion if suggestion.startswith(("**/", "/")) else f"**/{suggestion}"
    return f"!{{{anywhere}{'**' if suggestion.endswith('/') else ''},*}}"


def _is_beside(token: ScopeToken, other: ScopeToken) -> bool:
    """Returns whether another token admits the same tool, or all tools."""
    return other.stream == Source.TOOL and (other.tool is None or other.tool == token.tool or token.tool is None)


def _ineffective(file: RuleFile, glob: MappedText) -> Finding:
    suggestion = _effective_negation(glob.value.strip())
    span = glob.source_span(0, len(glob.value))  # Without quotes.
    edit = None if suggestion is None else replaced_part(file, span, glob.value, suggestion)
    return report(_NEGATED, _TRUE_OF_ALL, glob.span, *build_fixes(_NEGATED, edit, title=f"Write {suggestion}"))


def check_glob_pairs(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports paths in `scope` that `globs` excludes, and streams without the path that a glob requires."""
    gate = [text.value.strip() for text in file.fields.globs if text.value.strip()][:_MAX_GLOBS]
    for token in file.fields.scope[:_MAX_GLOBS]:
        if token.glob is None:
            if gate and not token.inferred:
                yield from _without_path(file, registration, token)
        elif token.tool in PATHLESS_TOOLS:
            message = (
                f"Calls of `{token.tool}` have no path, so this token never matches. Write `tool:{token.tool}`"
                f"{_condition_advice(token.glob.value)}."
            )
            fixes = rewrite_scalar_part(file, _PATHLESS, token.text.span, token.text.value, f"tool:{token.tool}")
            yield report(_PATHLESS, message, token.text.span, *fixes)
        elif gate and not any(_may_agree(glob, token.glob.value) for glob in gate):
            yield _disjoint(file, token, token.glob)


def _condition_advice(glob: str) -> str:
    """Returns advice to move the glob of a tool without paths into the condition."""
    if not glob.strip("*"):
        return ""
    if "\\" in glob or not set("/.") & set(glob):
        return ", and put the text in the parentheses into the condition, as a regular expression"
    return ", and match the path in the condition"


def _without_path(file: RuleFile, registration: Registration, token: ScopeToken) -> Iterator[Finding]:
    """Reports a stream without paths, in a rule whose `globs` require one."""
    if token.tool in PATHLESS_TOOLS:
        message = (
            f"`globs` requires a file path, and calls of `{token.tool}` have none, so this token never matches. "
            "Remove the token, or move it to a rule of its own, and match the path in the condition."
        )
        fixes = remove_scope_token(file, _PATHLESS, token.text.span)
        yield report(_PATHLESS, message, token.text.span, *fixes)
    elif (
        token.stream in _PROSE and registration.rule is not None and registration.rule.scope.admits_source(Source.TOOL)
    ):
        message = (
            f"`globs` requires a file path, and `{token.stream}` has none, so this token never matches, and only the "
            "tools of the scope remain. Remove the token, or move it to a rule of its own."
        )
        fixes = remove_scope_token(file, _ON_PROSE, token.text.span)
        yield report(_ON_PROSE, message, token.text.span, *fixes)


def _may_agree(gate: str, glob: str) -> bool:
    # `unmatchable-glob` reports backslashes.
    return "\\" in gate + glob or (may_match_same_name(gate, glob) and may_match_in_same_folder(gate, glob))


def _disjoint(file: RuleFile, token: ScopeToken, glob: MappedText) -> Finding:
    entry = None if file.frontmatter is None else file.frontmatter.entry("globs")
    related = () if entry is None else (RelatedLocation("the globs that every path must match", entry.value.span),)
    message = (
        "A path must match both this glob and `globs`, and no path can, so this token never matches. Keep the "
        "intended one of the two."
    )
    fixes = (
        *remove_scope_token(file, _DISJOINT, token.text.span),
        *remove_entry(file, _DISJOINT, "globs", "Remove globs"),
    )
    return report(_DISJOINT, message, glob.span, *fixes, related=related)
