"""Decides whether a changed rule still fires wherever it fired before.

A safe fix must not make a working rule fire less, but an ignored key that becomes effective can restrict a rule, and so
can a corrected pattern. Both versions are compared part by part: agents, scope, globs, conditions. The automata decide
whether a changed pattern matches wherever the earlier one does. Lookarounds and backreferences cannot be proved, so
samples decide. Globs are compared by sample paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ttsr_ls.esregex.analysis.graph.language import graphs_of, is_search_included
from ttsr_ls.esregex.analysis.graph.work import WorkBudget, WorkExhausted
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.tree.nodes import Backreference, Look, walk
from ttsr_ls.lint.regex.samples import sample_texts
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.path_glob import PathGlob, path_globs
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.scope import Scope, ToolScope

_STEPS = 20_000
"""How many steps a short sample may take; a condition that needs more counts as not covered."""
_STEPS_PER_UNIT = 2
_WORK_OF_TEST = 5
_MAX_WORK = 100_000
"""How much work the comparison of two conditions may take; after that, they count as not covered."""
_MAX_CHANGED = 10
"""How many changed conditions of a rule are compared; a rule with more counts as not covered."""
_MAX_RIVALS = 4
"""With how many conditions of the new version each changed condition is compared."""
_MAX_PROVED_LENGTH = 1_000
"""The maximum length of a changed condition, in units; a longer one counts as not covered."""
_AROUND = (("", ""), (" ", " "), ("a", ""), ("", "a"), ("\n", "\n"), ('"', '"'))
"""Texts before and after a sample: nothing, blanks, more of a word, line ends, quotes."""
_USUAL_PATHS = ("a.ts", "src/a.ts", "src/b.py", "lib/x/c.md", "/project/src/a.ts", "README")
_UNUSUAL_PATH = re.compile(r"[\s,{}\[\]'\"|;]")
"""Paths with these characters are ignored, because nobody has such files."""
_BRACES = re.compile(r"\{([^{}]*)\}")
_CLASS = re.compile(r"\[[!^]?([^\]])[^\]]*\]")
_MAX_PATHS = 64


def fires_wherever(after: Registration, before: Registration, work: WorkBudget) -> bool:
    """Returns whether the later version of a rule fires wherever the earlier one fired. Also False if the comparison
    takes more than is left of `work`."""
    if before.bucket is not Bucket.TTSR or before.rule is None:
        return True
    if after.bucket is not Bucket.TTSR or after.rule is None:
        return False
    try:
        return after.rule == before.rule or _rule_covers(after.rule, before.rule, work)
    except WorkExhausted:
        return False


def _rule_covers(after: Rule, before: Rule, work: WorkBudget) -> bool:
    return (
        _names_cover(after.agents, before.agents)
        and after.question == before.question
        and set(before.ast_conditions) <= set(after.ast_conditions)
        and _scope_covers(after.scope, before.scope)
        and _globs_cover(path_globs(after.globs), path_globs(before.globs))
        and _conditions_cover(after.conditions, before.conditions, work)
        # A question without a condition is asked about every answer.
        and (before.question is None or bool(before.conditions) or not after.conditions)
    )


def _names_cover(after: tuple[str, ...], before: tuple[str, ...]) -> bool:
    return not after or (bool(before) and set(before) <= set(after))


def _scope_covers(after: Scope, before: Scope) -> bool:
    if before.text > after.text or before.thinking > after.thinking or before.any_tool > after.any_tool:
        return False
    return after.any_tool or all(_is_among(tool, after.tools) for tool in before.tools)


def _is_among(tool: ToolScope, scopes: Iterable[ToolScope]) -> bool:
    globs = [other.glob for other in scopes if other.tool in (None, tool.tool)]
    if None in globs or not globs:
        return bool(globs)
    return tool.glob is not None and _globs_cover(tuple(glob for glob in globs if glob is not None), (tool.glob,))


def _globs_cover(after: tuple[PathGlob, ...], before: tuple[PathGlob, ...]) -> bool:
    """Returns whether `after` matches each path that `before` matches. Without globs, every path matches."""
    if not after or not before:
        return not after
    return all(
        any(other.matches_any((path,)) for other in after)
        for glob in before
        if glob not in after
        for path in _sample_paths(glob)
    )


def _sample_paths(glob: PathGlob) -> Iterator[str]:
    """Yields ordinary paths that a glob matches."""
    for path in (*_USUAL_PATHS, *_expand(glob.pattern)):
        if not _UNUSUAL_PATH.search(path) and glob.matches_any((path,)):
            yield path


def _expand(pattern: str) -> list[str]:
    """Returns paths with a text in place of each wildcard of a glob, one path for each choice of its braces."""
    paths = [pattern.removeprefix("!")]
    while len(paths) < _MAX_PATHS and any(_BRACES.search(path) for path in paths):
        paths = [
            path[: match.start()] + part.strip() + path[match.end() :] if match is not None else path
            for path in paths
            for match in [_BRACES.search(path)]
            for part in (("",) if match is None else match[1].split(","))
        ]
    plain = (_CLASS.sub(r"\1", path).replace("**", "d").replace("*", "x").replace("?", "x") for path in paths)
    return list(plain)[:_MAX_PATHS]


def _conditions_cover(after: tuple[Condition, ...], before: tuple[Condition, ...], work: WorkBudget) -> bool:
    kept, earlier = set(after), set(before)
    changed_conditions = [condition for condition in before if condition not in kept]
    if len(changed_conditions) > _MAX_CHANGED:
        return False
    # New conditions come first: they probably replace the changed ones.
    rivals = sorted(after, key=lambda condition: condition in earlier)[:_MAX_RIVALS]
    return all(_is_covered(condition, rivals, work) for condition in changed_conditions)


def _is_covered(condition: Condition, rivals: list[Condition], work: WorkBudget) -> bool:
    answers: list[bool | None] = []
    for rival in rivals:
        work.spend(1)  # Raises before the comparison if nothing is left.
        if max(len(condition.source), len(rival.source)) > _MAX_PROVED_LENGTH:
            answers.append(False)  # Not cached: the cache would keep their trees, of megabytes.
            continue
        answer, spent = _compare(condition, rival)
        work.spend(spent)  # A cached answer costs its original work, so that a file always gets the same answers.
        answers.append(answer)
    return True in answers or (None in answers and False not in answers[:1])


@lru_cache(256)
def _compare(narrow: Condition, broad: Condition) -> tuple[bool | None, int]:
    """Returns whether `broad` matches wherever `narrow` matches, and the work that this took.

    None if no sample refutes it and there is no proof.
    """
    work = WorkBudget(_MAX_WORK)
    try:
        answer = _decide(narrow, broad, work)
    except (MatchLimitExceeded, WorkExhausted):
        answer = False
    return answer, _MAX_WORK - max(work.left, 0)


def _decide(narrow: Condition, broad: Condition, work: WorkBudget) -> bool | None:
    narrow_matcher, broad_matcher = _Matcher(narrow, work), _Matcher(broad, work)
    if any(not broad_matcher.test(text) for text in _texts_of(narrow, narrow_matcher)):
        return False
    graphs = graphs_of([narrow.pattern.root, broad.pattern.root])
    if graphs is None:
        return False
    if is_search_included(graphs[0], graphs[1], work):
        return True
    # Lookarounds and backreferences cannot be proved. If they are equal, only the rest of the pattern was changed.
    return None if not graphs[1].is_exact and _unproved_parts(narrow) == _unproved_parts(broad) else False


def _unproved_parts(condition: Condition) -> list[str]:
    pattern = condition.pattern
    return [
        pattern.source[node.span.start : node.span.end]
        for node in walk(pattern.root)
        if isinstance(node, Look | Backreference)
    ]


def _texts_of(condition: Condition, matcher: _Matcher) -> Iterator[str]:
    """Yields texts that a condition matches, in units."""
    samples = sample_texts(condition.pattern.root)
    # Samples have one case of each letter, but a condition may match only the other case.
    for sample in dict.fromkeys((*samples, *(sample.swapcase() for sample in samples))):
        for left, right in _AROUND:
            text = f"{left}{sample}{right}"
            if matcher.test(text):
                yield text


class _Matcher:
    """Tests a condition on texts, and spends the work of that from `work`."""

    def __init__(self, condition: Condition, work: WorkBudget) -> None:
        self._work = work
        work.spend(len(condition.source))
        self._matcher = BacktrackMatcher(condition.pattern, _STEPS)

    def test(self, text: str) -> bool:
        """Returns whether the condition matches. Raises MatchLimitExceeded, WorkExhausted."""
        is_match, steps = self._matcher.test_counting_steps(text)
        self._work.spend(_WORK_OF_TEST + steps // _STEPS_PER_UNIT)
        return is_match
