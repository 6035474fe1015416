"""The greatest length of a rule's match: how much of a stream must be held back so that no part of a match is
displayed.
"""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.esregex.search.reach import reach_past_end
from ttsr_ls.esregex.tree.bottom_up import fold_tree_incrementally
from ttsr_ls.esregex.tree.incremental import run_to_completion
from ttsr_ls.esregex.tree.widths import WIDEST, greatest_width
from ttsr_ls.rules.condition import Condition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Source


def longest_match(rules: Iterable[Rule], source: Source) -> int | None:
    """Returns the length of the longest match on a stream of `source`, in units, with the text after it by which it
    becomes final.

    0 if no rule applies to such streams; None if there is no bound.
    """
    conditions = {condition for rule in rules if rule.scope.admits_source(source) for condition in rule.conditions}
    widths = [_width(condition) for condition in conditions]
    max_length = max(widths, default=0)
    return None if max_length >= WIDEST else max_length


def _width(condition: Condition) -> int:
    root = condition.pattern.root
    return run_to_completion(fold_tree_incrementally(root, greatest_width)) + run_to_completion(reach_past_end(root))
