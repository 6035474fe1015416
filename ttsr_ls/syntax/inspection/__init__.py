"""The problems that reading a rule file shows: one module for each group of problems.

Each inspection takes an `InspectedFile` and yields `Problem`s; none of them changes the parsed file. The lint catalogue
owns severities and pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ttsr_ls.syntax.inspection.comments import inspect_comments
from ttsr_ls.syntax.inspection.conditions import inspect_conditions
from ttsr_ls.syntax.inspection.folded_lists import inspect_folded_lists
from ttsr_ls.syntax.inspection.frontmatter import inspect_frontmatter
from ttsr_ls.syntax.inspection.globs import inspect_globs
from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.inspection.key_names import inspect_keys
from ttsr_ls.syntax.inspection.scope import inspect_scope
from ttsr_ls.syntax.inspection.strings import inspect_strings
from ttsr_ls.syntax.inspection.tabs import inspect_tabs
from ttsr_ls.syntax.inspection.values import inspect_values
from ttsr_ls.syntax.problems import Problem

_INSPECTIONS: tuple[Callable[[InspectedFile], Iterator[Problem]], ...] = (
    inspect_frontmatter,
    inspect_comments,
    inspect_tabs,
    inspect_keys,
    inspect_strings,
    inspect_folded_lists,
    inspect_values,
    inspect_conditions,
    inspect_scope,
    inspect_globs,
)


def inspect(file: InspectedFile) -> tuple[Problem, ...]:
    """Returns all problems of a file, in source order."""
    problems = [problem for inspection in _INSPECTIONS for problem in inspection(file)]
    return tuple(sorted(problems, key=lambda problem: problem.span))
