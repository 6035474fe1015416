"""Writes a condition that ends in a negative lookahead so that the text decides it: advice that was tried."""

from __future__ import annotations

from ttsr_ls.engine.condition import Condition, compile_condition
from ttsr_ls.esregex.backtrack import BacktrackMatcher
from ttsr_ls.esregex.errors import MatchLimitExceeded, RegexSyntaxError
from ttsr_ls.esregex.finality import final_form
from ttsr_ls.esregex.nodes import Look, LookKind, Node, Repeat, Sequence
from ttsr_ls.lint.counterexample import continuations
from ttsr_ls.lint.samples import samples

# The rest of the word, all up to the next blank, or what comes next: a word or a sign, or all up to a blank.
_FOLLOWERS = (r"\w*\W", r"\S*\s", r"\s*(?:\w+\W|[^\w\s])", r"\s*\S+\s")
_END = " ;\n"
"""Something always comes, for a pattern that waits for it."""
_LONGEST = 150
_STEPS = 10_000


def decided_form(condition: Condition, undecided: tuple[Node, ...]) -> str | None:
    """The condition as authored with something behind its last lookahead that makes a match final.

    None where the condition does not end in a negative lookahead, that lookahead is no good, or nothing that was tried
    makes a match final.
    """
    source, pattern = condition.source, condition.pattern
    look = undecided[-1] if undecided else None
    if not isinstance(look, Look) or look.kind is not LookKind.NOT_AHEAD or look.span.end != len(pattern.source):
        return None
    if _has_choice_before(pattern.root):
        return None
    if len(source) > _LONGEST or not source.isascii():
        return None
    try:
        return next((source + each for each in _FOLLOWERS if _is_decided(source + each, condition, undecided)), None)
    except MatchLimitExceeded:
        return None


def _has_choice_before(root: Node) -> bool:
    """Whether what stands before the last lookahead can match less, so that the lookahead is met somewhere else."""
    items = root.items if isinstance(root, Sequence) else ()
    return len(items) > 1 and isinstance(items[-2], Repeat)


def _is_decided(source: str, before: Condition, undecided: tuple[Node, ...]) -> bool:
    """Whether the new condition fires on some text of the old one, and only where nothing can undo that."""
    try:
        pattern = compile_condition(source).pattern
    except RegexSyntaxError:
        return False
    matcher, final = BacktrackMatcher(pattern, _STEPS), BacktrackMatcher(final_form(pattern), _STEPS)
    old = BacktrackMatcher(before.pattern, _STEPS)
    is_met = False
    for shown in samples(before.pattern.root):
        for rest in continuations(undecided):
            whole = shown + rest + _END
            for end in range(len(whole) + 1):
                text = whole[:end]
                if matcher.test(text) and not (old.test(text) and final.test(text)):
                    return False
            is_met = is_met or matcher.test(whole)
    return is_met
