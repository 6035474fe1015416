"""Finds rule files of programs whose rules neither fire nor are listed here, such as those of hookify."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.ide.rule_detection import is_in_rule_folder
from ttsr_ls.store.gitignore.ignores import Ignores
from ttsr_ls.store.listing import list_folder, list_tree
from ttsr_ls.syntax.dialects.table import DIALECTS, OMP, OMP_LEGACY, PI_TTSR

_LISTED = (OMP, OMP_LEGACY, PI_TTSR)


def rule_files_of_others(folder: Path) -> tuple[Path, ...]:
    """Returns the files of a workspace that the program of some dialect loads as rules, sorted."""
    found: set[Path] = set()
    others = (dialect for dialect in DIALECTS if dialect not in _LISTED)
    for location in (location for dialect in others for location in dialect.locations if location.folders):
        rules = folder / location.path
        list_files = list_tree if location.is_deep else list_folder
        found |= {file.path for file in list_files(rules, location.suffixes, Ignores(rules, ())).files}
    return tuple(sorted(path for path in found if is_in_rule_folder(str(path))))
