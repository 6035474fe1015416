"""Converts the problems of reading and registration to findings with severities and fixes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ttsr_ls.esregex.analysis.slips.repair import close_class, close_group, remove_parenthesis
from ttsr_ls.lint.catalogue import CatalogueEntry, entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix, Safety, Severity
from ttsr_ls.lint.fixes.closed_quotes import pattern_with_closed_quote
from ttsr_ls.lint.fixes.entry_edits import remove_scope_token
from ttsr_ls.lint.fixes.list_edits import remove_entry_lines
from ttsr_ls.lint.fixes.repair_scalar import repair_scalar
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.syntax.frontmatter.quoting import with_doubled_quotes
from ttsr_ls.syntax.keys import FIRING_KEYS
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.misreading import fires_as_meant, is_read_as_meant
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import Frontmatter, MapValue, RuleFile, ScopeToken
from ttsr_ls.syntax.scope.tokens import split_list
from ttsr_ls.text import LineIndex, Span

# Problems of an entry without an effect; their span is its key.
_REMOVABLE = frozenset(("duplicate-key", "inert-name"))
# Problems of a text that are errors only if they change the trigger.
_OF_TEXTS = frozenset(("truncated-value", "illegal-escape", "literal-quotes"))
# Problems of a scope, which may have an unclosed parenthesis.
_OF_SCOPES = frozenset(("invalid-scope-token", "unreachable-scope", "comma-in-glob"))
_BLANKS_AND_ENDS = re.compile(r"[\s)]+")
_BROKEN = "regex-does-not-compile"
_UNREACHABLE = "unreachable-scope"
_CLOSE_AND_REPAIR = "Close the quote, and repair the pattern"
# As a problem of registration, this code means that conditions are never matched, which is worse than in the checks.
_UNMATCHED = "undecided-backtracking"
_NOTHING_LEFT = "Nothing else is in the scope, so the rule never fires."
# A replacement of at most this length is named in the title of its fix.
_MAX_SHOWN = 40
_BRACKETS = {"(": "parenthesis", ")": "parenthesis", "[": "bracket", "]": "bracket", "{": "brace", "}": "brace"}
_COUNTS = re.compile(r"\{(\d{1,9}),(\d{1,9})\}")


def findings_of_problems(problems: Iterable[Problem], file: RuleFile) -> Iterator[Finding]:
    """Yields the findings for the problems of a file."""
    lines = LineIndex(file.text)
    return (_finding(problem, file, lines) for problem in _merge_scope_problems(tuple(problems)))


def _merge_scope_problems(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Merges the problem of a scope without valid tokens with the problem of its only invalid token."""
    tokens = [problem for problem in problems if problem.code == "invalid-scope-token"]
    if len(tokens) != 1 or not any(problem.code == _UNREACHABLE for problem in problems):
        return problems
    [token] = tokens
    message = f"{token.message} {_NOTHING_LEFT}"
    both_problem = Problem(_UNREACHABLE, message, token.span, token.replacement)
    return (*(problem for problem in problems if problem is not token and problem.code != _UNREACHABLE), both_problem)


def _finding(problem: Problem, file: RuleFile, lines: LineIndex) -> Finding:
    entry = entry_of(problem.code)
    fixes: tuple[Fix, ...] = ()
    if problem.code == "yaml-degraded" and is_read_as_meant(file):
        return _harmless(problem, entry.fix_title)
    if file.frontmatter is not None and (problem.code in _REMOVABLE or _is_spelt_twice(problem, file.frontmatter)):
        title = None if problem.code in _REMOVABLE else "Remove the key"
        fixes = build_fixes(problem.code, remove_entry_lines(lines, file.frontmatter, problem.span), title=title)
    elif problem.code == _BROKEN:
        edit = repair_scalar(file, problem.span) or _ordered_counts(file, problem.span)
        if edit is not None:
            title = _title(_repair_title(file, edit) or entry.fix_title, edit.text)
            fixes = build_fixes(problem.code, edit, title=title)
        if (closed_edit := repair_scalar(file, problem.span, close_group)) is not None:
            fixes = (_guess("Close the group", closed_edit), *fixes)
        if (closed_edit := repair_scalar(file, problem.span, close_class)) is not None:
            fixes = (_guess("Close the character class", closed_edit), *fixes)
        if (shorter_edit := repair_scalar(file, problem.span, remove_parenthesis)) is not None:
            fixes = (*fixes, _guess("Remove the parenthesis", shorter_edit))
    elif (scope_fixes := _without_repeated_token(file, problem)) is not None:
        fixes = scope_fixes
    elif problem.replacement is not None:
        source = file.text[problem.span.start : problem.span.end]
        edits = (Edit(problem.fix_span or problem.span, problem.replacement),)
        is_certain = _only_spelling(source, problem.replacement) or _only_closes(source, problem)
        safety = Safety.SAFE if is_certain else entry.fix_safety
        if problem.fix_span is not None:
            safety = Safety.UNSAFE  # Where the frontmatter ends is a guess.
        token = _scope_token(file, problem)
        tokens = frozenset[str]() if token is None else _lower_case(_replaced_tokens(file, problem, token))
        fixes = (Fix(_title(_fix_action(problem, source, entry), problem.replacement), edits, safety, tokens),)
        if problem.code == "yaml-degraded" and (pattern := pattern_with_closed_quote(file, edits[0])) is not None:
            fixes = (Fix(_title(_CLOSE_AND_REPAIR, pattern.text), (pattern,), Safety.UNSAFE), *fixes)
    elif problem.has_no_replacement:
        # Without another valid token nothing would be left of the scope.
        others = [token for token in file.fields.scope if token.text.span != problem.span]
        if any(token.stream == "tool" for token in others):
            fixes = remove_scope_token(file, problem.code, problem.span)
    severity, message = entry.severity, problem.message
    if problem.code in _OF_TEXTS and fires_as_meant(file, problem):
        severity = Severity.WARNING
    if problem.code == "unknown-key" and problem.replacement in FIRING_KEYS and _never_fires(file):
        severity = Severity.ERROR
        message = _misspelt_trigger(file.text[problem.span.start : problem.span.end], problem.replacement)
        if _has_map(file, problem.span):
            # A map is ignored under the right name, too.
            fixes, message = (), f"{message[:-1]} with a pattern, or a list of patterns; a map is ignored."
    if problem.code == _UNMATCHED:
        severity = Severity.WARNING
    return Finding(problem.code, severity, message, problem.span, fixes)


def _is_spelt_twice(problem: Problem, frontmatter: Frontmatter) -> bool:
    """Returns whether the intended name of an unknown key is given as well, so that renaming would repeat it."""
    replacement = problem.replacement
    return problem.code == "unknown-key" and replacement is not None and frontmatter.entry(replacement) is not None


def _without_repeated_token(file: RuleFile, problem: Problem) -> tuple[Fix, ...] | None:
    """Returns the fix of a scope token without tokens that the scope has already; None if none would be repeated."""
    token = _scope_token(file, problem)
    if token is None:
        return None
    span = token.text.span
    others = {other.text.value.lower() for other in file.fields.scope if other is not token}
    tokens = _replaced_tokens(file, problem, token)
    left = [each_token for each_token in tokens if each_token.lower() not in others]
    if len(left) == len(tokens):
        return None
    if not left:
        return remove_scope_token(file, problem.code, span)
    entry, text = entry_of(problem.code), ", ".join(left)
    return (Fix(_title(entry.fix_title, text), (Edit(span, text),), entry.fix_safety, _lower_case(left)),)


def _scope_token(file: RuleFile, problem: Problem) -> ScopeToken | None:
    """Returns the token of the scope that the fix of a problem rewrites."""
    if problem.replacement is None:
        return None
    return next(
        (token for token in file.fields.scope if not token.inferred and token.text.span.covers(problem.span)), None
    )


def _replaced_tokens(file: RuleFile, problem: Problem, token: ScopeToken) -> list[str]:
    """Returns the tokens that replace `token` when the problem in it is fixed."""
    span, replacement = token.text.span, problem.replacement or ""
    source = file.text[span.start : problem.span.start] + replacement + file.text[problem.span.end : span.end]
    return [part.value for part in split_list(MappedText.verbatim(source, Span(0, len(source))))]


def _lower_case(tokens: Iterable[str]) -> frozenset[str]:
    return frozenset(token.lower() for token in tokens)


def _misspelt_trigger(source: str, suggestion: str) -> str:
    return (
        f"This key is the rule's only trigger, and oh-my-pi does not read {code(source, _MAX_SHOWN)}, so the rule "
        f"never fires. Write `{suggestion}`."
    )


def _has_map(file: RuleFile, key: Span) -> bool:
    entries = () if file.frontmatter is None else file.frontmatter.entries
    return any(entry.key_span == key and isinstance(entry.value, MapValue) for entry in entries)


def _never_fires(file: RuleFile) -> bool:
    """Returns whether an enabled rule has no trigger, and is not in every prompt either."""
    fields = file.fields
    has_trigger = bool(fields.conditions or fields.ast_conditions or fields.question)
    return not has_trigger and not fields.always_apply and fields.enabled is not False


def _ordered_counts(file: RuleFile, span: Span) -> Edit | None:
    """Writes `{1,2}` for `{2,1}`."""
    counts = _COUNTS.fullmatch(file.text, span.start, span.end)
    if counts is None or int(counts[1]) <= int(counts[2]):
        return None
    return Edit(span, f"{{{counts[2]},{counts[1]}}}")


def _repair_title(file: RuleFile, edit: Edit) -> str | None:
    """Returns the title of a repair that only escapes one bracket; None for any other repair."""
    before, after = file.text[edit.span.start : edit.span.end].strip("'\""), edit.text.strip("'\"")
    at = next((index for index, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(before))
    if after != f"{before[:at]}\\{before[at:]}":
        return None
    name = _BRACKETS.get(before[at : at + 1])
    return None if name is None else f"Escape the {name}"


def _fix_action(problem: Problem, source: str, entry: CatalogueEntry) -> str:
    """Returns the title of a problem's fix: a specific one if the fix only closes or doubles something."""
    assert problem.replacement is not None
    if problem.fix_span is not None:
        return "Replace the key" if problem.code == "unknown-key" else "Close the frontmatter"
    if _only_closes(source, problem):
        return "Close the parenthesis"
    if problem.replacement == with_doubled_quotes(source):
        return "Double the quotes inside"
    is_quote = problem.replacement.endswith(("'", '"')) and source[:1] in ("'", '"')
    return "Close the quote" if is_quote and problem.replacement == source + source[0] else entry.fix_title


def _only_closes(source: str, problem: Problem) -> bool:
    """Returns whether the fix of a scope closes parentheses, and changes nothing else."""
    if problem.code not in _OF_SCOPES or problem.replacement is None or problem.replacement == source:
        return False
    return _BLANKS_AND_ENDS.sub("", problem.replacement) == _BLANKS_AND_ENDS.sub("", source)


def _harmless(problem: Problem, title: str) -> Finding:
    """Returns the finding for invalid YAML that is read as intended. Its fix does not change the rule."""
    fixes: tuple[Fix, ...] = ()
    if problem.replacement is not None:
        edit = Edit(problem.span, problem.replacement)
        fixes = (Fix(_title(title, problem.replacement), (edit,), Safety.SAFE),)
    message = problem.harmless_message or problem.message
    return report(problem.code, message, problem.span, *fixes, severity=Severity.WARNING)


def _only_spelling(source: str, replacement: str) -> bool:
    """Returns whether the two differ only in case, hyphens and underscores, so that nothing is guessed."""
    return _bare(source) == _bare(replacement) != ""


def _bare(text: str) -> str:
    return text.lower().replace("_", "").replace("-", "")


def _guess(title: str, edit: Edit) -> Fix:
    return Fix(_title(title, edit.text), (edit,), Safety.UNSAFE)


def _title(title: str, replacement: str) -> str:
    display = replacement.strip()
    return f"{title}: {display}" if display.isprintable() and 0 < len(display) <= _MAX_SHOWN else title
