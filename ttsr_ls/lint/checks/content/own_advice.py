"""Finds rules that fire on their own advice, and rules that forbid without an alternative."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.lint.advice import Advice, advice_in
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, RelatedLocation
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_to_analyse
from ttsr_ls.lint.regex.universality import PatternBreadth, pattern_breadth
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.scope import Scope
from ttsr_ls.syntax.rule_file import RuleFile

_MATCHES = "matches-own-advice"
_NO_ALTERNATIVE = "no-alternative"
_STEPS = 60_000
"""How many steps the searches of all conditions of a rule in its advice may take together."""
_FORBIDS = re.compile(
    r"(?i)(?:.{0,20}\b)?(?:no|not|never|don'?t|avoid|ban(?:s|ned)?|forbid(?:s|den)?|block(?:s|ed)?|prohibit(?:s|ed)?|"
    r"disallow(?:s|ed)?|stop)\b|.{0,200}\b(?:instead of|rather than|over)\b|.{0,6}(?:禁止|不要|不得|避免)"
)
_REPLACES = re.compile(
    r"(?i)\b(?:use|prefer|write|call|run)\b[^.`\n;]{0,24}`[^`\n]{2,120}`[^.`\n;]{0,24}\binstead\b(?! of\b)"
)
"""A sentence that forbids by naming a replacement alone, as in "Use `x` instead."."""
_FORBIDDEN = re.compile(r"(?i)(?:please )?(?:do not|don'?t|never|avoid)\b[^.!?\n]*[.!?]?")
_SAYS_WHAT_TO_DO = re.compile(
    r"(?i)\binstead\b(?! of\b)|(?:[:;,—–]|\bbut|\band) (?:please )?(?:use|prefer|write|run|call|choose|"
    r"ask|add|put|move|make|let|replace|import|log|return|raise|name|keep|start|create)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_COMMENT_MARKS = ("//", "#", "/\\*", "<!--", "--")
_SCRIPTS = frozenset(("js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"))
_SHELL = frozenset(("sh", "bash", "zsh"))
_EXTENSIONS = {
    **dict.fromkeys(("ts", "tsx", "typescript", "js", "jsx", "javascript", "vue", "svelte"), _SCRIPTS),
    **dict.fromkeys(("bash", "sh", "shell", "zsh", "console"), _SHELL),
    **dict.fromkeys(("diff", "text", "txt", "plaintext"), frozenset[str]()),
    **dict.fromkeys(("html", "xml"), frozenset(("html", "htm", "vue", "svelte", "xml"))),
    **dict.fromkeys(("css", "scss"), frozenset(("css", "scss", "vue", "svelte"))),
    **dict.fromkeys(("py", "python"), frozenset(("py", "pyi"))),
    **dict.fromkeys(("yaml", "yml"), frozenset(("yaml", "yml"))),
    **dict.fromkeys(("rust", "rs"), frozenset(("rs",))),
    **dict.fromkeys(("go", "golang"), frozenset(("go",))),
    **dict.fromkeys(("md", "markdown"), frozenset(("md", "mdc"))),
    **{name: frozenset((name,)) for name in ("java", "php", "sql", "toml", "json", "swift")},
}
_EXTENSION = re.compile(r"\.(?:\{([\w,]+)\}|(\w+))\Z")


def check_own_advice(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each condition that matches code which the rule itself recommends, in a rule that forbids something.

    A rule that forbids nothing may fire on good examples on purpose.
    """
    rule = registration.rule
    if rule is None or file.fields.question is not None or not _is_prohibition(file):
        return
    advice = [advice for advice in advice_in(file.body.value, context.limits) if _is_in_scope(advice, file, rule.scope)]
    steps = _STEPS
    for condition in conditions_to_analyse(file, context.limits):
        if not advice or condition.condition.cached_analysis(pattern_breadth) is not PatternBreadth.SOME:
            continue
        matcher = BacktrackMatcher(condition.condition.pattern, max(1, steps // 8))
        for each_advice in advice:
            try:
                if matcher.search(_written_text(each_advice, condition, rule.scope)) is None:
                    continue
                yield _finding(file, condition, _matched_line(each_advice, condition, rule.scope, matcher))
            except MatchLimitExceeded:
                return
            break


def check_alternative(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a rule whose sentences only forbid."""
    if registration.rule is None:
        return
    body = file.body.value.strip()
    sentences = [item.strip(" \t-*#>") for item in _SENTENCE_END.split(body[:1_000]) if item.strip(" \t-*#>")]
    if (
        len(body) < 1_000
        and sentences
        and all(_FORBIDDEN.fullmatch(each) and not _SAYS_WHAT_TO_DO.search(each) for each in sentences)
    ):
        message = (
            "The rule only forbids, so a stopped agent has to guess an alternative. Add one, such as `Use … instead`."
        )
        first = len(file.body.value.partition("\n")[0])
        yield report(_NO_ALTERNATIVE, message, file.body.source_span(0, first))


def _finding(file: RuleFile, condition: ConditionWithSpan, advice: Advice) -> Finding:
    display = code(" ".join(advice.code.split()), 60)
    message = (
        f"This matches what the rule itself recommends, {display}, so the rule also fires on correct code. Narrow the "
        "condition until the advice does not match, or change the advice."
    )
    related = (
        RelatedLocation("the advice that it matches", file.body.source_span(advice.span.start, advice.span.end)),
    )
    return report(_MATCHES, message, condition.text.span, related=related)


def _is_prohibition(file: RuleFile) -> bool:
    description = file.fields.description or ""
    opener = file.body.value[:1_000].partition("\n\n")[0] if not description else ""
    texts = (file.name.replace("-", " "), description, opener.strip(" #*\n"))
    return any(_FORBIDS.match(text) for text in texts) or _REPLACES.search(file.body.value[:1_000]) is not None


def _is_in_scope(advice: Advice, file: RuleFile, scope: Scope) -> bool:
    """Returns whether an agent that follows the advice writes it within the rule's scope."""
    if scope.text or scope.thinking or scope.any_tool:
        return True
    expected = _EXTENSIONS.get(advice.language)
    globs = [token.glob.value for token in file.fields.scope if token.glob] + [glob.value for glob in file.fields.globs]
    if expected is None or not globs:
        return True
    names = {part for glob in globs for part in _extensions(glob)}
    return not names or bool(names & expected)


def _extensions(glob: str) -> set[str]:
    match = _EXTENSION.search(glob)
    return set() if match is None else set((match[1] or match[2]).split(","))


def _matched_line(advice: Advice, condition: ConditionWithSpan, scope: Scope, matcher: BacktrackMatcher) -> Advice:
    """Returns the first line of the advice that the condition matches by itself; the whole advice if there is none.

    Raises `MatchLimitExceeded`.
    """
    for line in advice.lines():
        if matcher.search(_written_text(line, condition, scope)) is not None:
            return line
    return advice


def _written_text(advice: Advice, condition: ConditionWithSpan, scope: Scope) -> str:
    """Returns the advice as the rule would match it: as JSON if it is an argument of a tool that writes no file."""
    is_of_comments = any(mark in condition.condition.pattern.source for mark in _COMMENT_MARKS)
    text = advice.full if is_of_comments else advice.code
    in_json = not (scope.text or scope.thinking or scope.any_tool) and not any(
        tool.tool in (None, "edit", "write") for tool in scope.tools
    )
    return to_units(json.dumps({"command": text}, ensure_ascii=False) if in_json else text)
