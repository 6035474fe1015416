"""Extends a condition that ends in a negative lookahead, so that its matches are final. The result is tested."""

from __future__ import annotations

from functools import lru_cache

from ttsr_ls.esregex.analysis.backtracking.growth import STEPS_PER_WORK
from ttsr_ls.esregex.analysis.graph.work import WorkBudget, WorkExhausted
from ttsr_ls.esregex.errors import MatchLimitExceeded, RegexSyntaxError
from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.finality.horizon import end_sensitive_nodes
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.tree.nodes import Look, LookKind, Node, Repeat, Sequence
from ttsr_ls.lint.regex.counterexample import continuations
from ttsr_ls.lint.regex.samples import sample_texts
from ttsr_ls.rules.condition import Condition, compile_condition

# The rest of the word; all up to the next blank; the next word or sign; the next run of non-blanks.
_FOLLOWERS: tuple[str, ...] = (r"\w*\W", r"\S*\s", r"\s*(?:\w+\W|[^\w\s])", r"\s*\S+\s")
_ARGUMENTS = r"[^)]*\)"
"""The rest of the arguments, for a lookahead after an opening parenthesis."""
_LINE = r"[^\n]*\n"
"""The rest of the line, for a lookahead after an opening parenthesis. JSON text has no line ends."""
_END = " ;\n"
"""Appended to each test text, for patterns that require a next character."""
_MAX_LENGTH = 150
_STEPS = 10_000
_MAX_WORK = 50_000
_TEST = 10
"""The work of a test in addition to its steps."""


def form_decided_by_next_text(condition: Condition, *, has_lines: bool) -> str | None:
    """Returns the condition as authored with an addition after its last lookahead that makes a match final.

    `has_lines` is true if the text has line ends rather than their escapes. None if the condition is long or does not
    end in a negative lookahead, if that lookahead is useless, or if no known addition makes a match final.
    """
    if len(condition.source) > _MAX_LENGTH or not condition.source.isascii():
        return None
    return _search_form(condition, has_lines=has_lines)


@lru_cache(64)
def _search_form(condition: Condition, *, has_lines: bool) -> str | None:
    source, pattern = condition.source, condition.pattern
    undecided_nodes = tuple(end_sensitive_nodes(pattern))
    node = undecided_nodes[-1] if undecided_nodes else None
    if not isinstance(node, Look) or node.kind is not LookKind.NOT_AHEAD or node.span.end != len(pattern.source):
        return None
    if _has_choice_before(pattern.root):
        return None
    texts = _texts(condition, undecided_nodes)
    work = WorkBudget(_MAX_WORK)
    try:
        followers: tuple[str, ...] = _FOLLOWERS
        if pattern.source[: node.span.start].endswith("\\("):
            followers = (*followers, _ARGUMENTS, _LINE) if has_lines else (*followers, _ARGUMENTS)
        return next(
            (source + follower for follower in followers if _is_decided(source + follower, condition, texts, work)),
            None,
        )
    except (MatchLimitExceeded, WorkExhausted):
        return None


def _texts(condition: Condition, undecided_nodes: tuple[Node, ...]) -> dict[str, bool]:
    """Returns texts that continue a match in different ways, and their prefixes; True for the whole texts."""
    texts: dict[str, bool] = {}
    for sample in sample_texts(condition.pattern.root):
        for rest in continuations(undecided_nodes):
            full_text = sample + rest + _END
            texts.update((full_text[:end], False) for end in range(len(full_text)) if full_text[:end] not in texts)
            texts[full_text] = True
    return texts


def _has_choice_before(root: Node) -> bool:
    """Returns whether the part before the last lookahead can match less, so that the lookahead is tested elsewhere."""
    items = root.items if isinstance(root, Sequence) else ()
    return len(items) > 1 and isinstance(items[-2], Repeat)


def _is_decided(source: str, before: Condition, texts: dict[str, bool], work: WorkBudget) -> bool:
    """Returns whether the new condition matches some text of the old one, and each of its matches is final."""
    try:
        pattern = compile_condition(source).pattern
    except RegexSyntaxError:
        return False
    matcher, final, old = (
        BacktrackMatcher(each_pattern, _STEPS) for each_pattern in (pattern, final_form(pattern), before.pattern)
    )
    matches_whole_text = False
    for text, is_whole in texts.items():
        if _matches(matcher, text, work):
            if not (_matches(old, text, work) and _matches(final, text, work)):
                return False
            matches_whole_text = matches_whole_text or is_whole
    return matches_whole_text


def _matches(matcher: BacktrackMatcher, text: str, work: WorkBudget) -> bool:
    found, steps = matcher.test_counting_steps(text)
    work.spend(_TEST + steps // STEPS_PER_WORK)
    return found
