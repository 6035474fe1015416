"""Finds negated globs that exclude nothing, and pairs of globs that exclude everything (spec G1, G2)."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.globs.glob_overlap import may_match_in_same_folder, may_match_same_name
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix, RelatedLocation
from ttsr_ls.lint.fixes.entry_edits import remove_entry, remove_scope_token, rewrite_scalar_part
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
"""Nobody reads more findings of one kind, and each pair of globs is compared."""


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
            yield _negated(file, text, message, None)
        elif not _excludes(glob):
            yield _negated(file, text, _TRUE_OF_ALL, _excluding(glob))
    for token in file.fields.scope:
        if token.glob is None or token.inferred or not _is_negated(token.glob.value):
            continue
        other = next(
            (
                scope_token
                for scope_token in file.fields.scope
                if scope_token is not token and _is_beside(token, scope_token)
            ),
            None,
        )
        if other is not None:
            message = (
                f"Tokens are alternatives: `{_shortened(other.text.value)}` names the same tool, so this one excludes "
                "nothing and admits nearly every other path. Name the files to include, without `!`."
            )
            yield _negated(file, token.glob, message, None)
        elif not _excludes(token.glob.value):
            yield _negated(file, token.glob, _TRUE_OF_ALL, _excluding(token.glob.value))


def _is_negated(glob: str) -> bool:
    return glob.startswith("!") and not glob.startswith(("!!", "!("))


def _excludes(glob: str) -> bool:
    """Returns whether there are paths of which it is false in each form: relative, absolute, and the name of the file
    alone."""
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


def _excluding(glob: str) -> str | None:
    """The glob that excludes the files which are meant: by their name, or by their folder.

    In the second, `**/` covers the relative and the absolute path, and `*` the name of the file alone.
    """
    suggestion = glob.removeprefix("!").removeprefix("./")
    if "/" not in suggestion:
        return f"!**/{suggestion}" if suggestion else None
    if set("{},[\\") & set(suggestion):
        return None
    anywhere = suggestion if suggestion.startswith(("**/", "/")) else f"**/{suggestion}"
    return f"!{{{anywhere}{'**' if suggestion.endswith('/') else ''},*}}"


def _is_beside(token: ScopeToken, other: ScopeToken) -> bool:
    """Returns whether another token watches the same tool, or all of them."""
    return other.stream == Source.TOOL and (other.tool is None or other.tool == token.tool or token.tool is None)


def _negated(file: RuleFile, glob: MappedText, message: str, suggestion: str | None) -> Finding:
    entry = entry_of(_NEGATED)
    span = glob.source_span(0, len(glob.value))  # Without quotes.
    edit = None if suggestion is None else replaced_part(file, span, glob.value, suggestion)
    fixes = () if edit is None else (Fix(f"Write {suggestion}", (edit,), entry.fix_safety),)
    return Finding(_NEGATED, entry.severity, message, glob.span, fixes)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


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
                f"{_sought(token.glob.value)}."
            )
            fixes = rewrite_scalar_part(file, _PATHLESS, token.text.span, token.text.value, f"tool:{token.tool}")
            yield Finding(_PATHLESS, entry_of(_PATHLESS).severity, message, token.text.span, fixes)
        elif gate and not any(_may_agree(glob, token.glob.value) for glob in gate):
            yield _disjoint(file, token, token.glob)


def _sought(glob: str) -> str:
    """Advises what to do with the glob of a tool without paths, beside naming the tool alone."""
    if not glob.strip("*"):
        return ""
    if "\\" in glob or not set("/.") & set(glob):
        return ", and put the text in the parentheses into the condition, as a regular expression"
    return ", and match the path in the condition"


def _without_path(file: RuleFile, registration: Registration, token: ScopeToken) -> Iterator[Finding]:
    """A stream without paths, in a rule whose `globs` demand one."""
    if token.tool in PATHLESS_TOOLS:
        message = (
            f"`globs` requires a file path, and calls of `{token.tool}` have none, so this token never matches. "
            "Remove the token, or move it to a rule of its own, and match the path in the condition."
        )
        fixes = remove_scope_token(file, _PATHLESS, token.text.span)
        yield Finding(_PATHLESS, entry_of(_PATHLESS).severity, message, token.text.span, fixes)
    elif (
        token.stream in _PROSE and registration.rule is not None and registration.rule.scope.admits_source(Source.TOOL)
    ):
        message = (
            f"`globs` requires a file path, and `{token.stream}` has none, so this token never matches, and only the "
            "tools of the scope remain. Remove the token, or move it to a rule of its own."
        )
        fixes = remove_scope_token(file, _ON_PROSE, token.text.span)
        yield Finding(_ON_PROSE, entry_of(_ON_PROSE).severity, message, token.text.span, fixes)


def _may_agree(gate: str, glob: str) -> bool:
    # What a backslash does to a glob is said elsewhere.
    return "\\" in gate + glob or (may_match_same_name(gate, glob) and may_match_in_same_folder(gate, glob))


def _disjoint(file: RuleFile, token: ScopeToken, glob: MappedText) -> Finding:
    entry = None if file.frontmatter is None else file.frontmatter.entry("globs")
    related = () if entry is None else (RelatedLocation("what every path must match", entry.value.span),)
    message = (
        "A path must match both this glob and `globs`, and no path can, so this token never matches. Keep the "
        "intended one of the two."
    )
    fixes = (
        *remove_scope_token(file, _DISJOINT, token.text.span),
        *remove_entry(file, _DISJOINT, "globs", "Remove globs"),
    )
    return Finding(_DISJOINT, entry_of(_DISJOINT).severity, message, glob.span, fixes, related)
