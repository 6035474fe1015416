"""Finds the changes that follow a rename or move of rule files by the user: their test files, and their mentions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath

from msgspec import Struct

from ttsr_ls.ide.rule_names.file_names import name_problem, renamed_test_path, rule_file_name
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.rule_locations import rule_locations
from ttsr_ls.lsp.rule_names.renaming import FileRename
from ttsr_ls.lsp.rule_names.rule_files import RuleFiles, files_of_rule
from ttsr_ls.store.case_file_paths import case_file_of
from ttsr_ls.store.files.existence import exists
from ttsr_ls.syntax.dialects.file_roles import rule_name_of
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES


class FollowedRename(Struct, frozen=True):
    """A rule file that gets a new path.

    `tests` is the rename of its test file, None without one. `named` is the rule if its mentions follow, too; it is
    None if the name stays the same, or another rule file keeps the name.
    """

    file: FileRename
    tests: FileRename | None
    named: RuleFiles | None


def followed_renames(files: Mapping[str, str], workspace: Workspace) -> tuple[FollowedRename, ...]:
    """The renames of rules among `files`, which maps old paths to new ones. Runs in a thread: it reads the disk."""
    rules = {path for _, path in rule_locations(workspace)}
    return tuple(
        FollowedRename(FileRename(old, new), _tests(old, new, files), _named(old, new, files, workspace))
        for old, new in files.items()
        if old in rules and new.endswith(RULE_SUFFIXES)
    )


def _tests(old: str, new: str, files: Iterable[str]) -> FileRename | None:
    path = case_file_of(Path(old))
    if path is None or str(path) in files:
        return None
    beside = str(PurePath(new).parent / path.name)
    renamed = renamed_test_path(beside, new)
    is_taken = exists(Path(renamed)) and renamed.lower() != str(path).lower()
    return None if is_taken else FileRename(str(path), renamed)


def _named(old: str, new: str, files: Iterable[str], workspace: Workspace) -> RuleFiles | None:
    before, after = rule_file_name(old), rule_file_name(new)
    if before is None or after is None or PurePath(old).parent != PurePath(new).parent:
        return None
    is_new_name = before.name != after.name and (before.prefix, before.suffix) == (after.prefix, after.suffix)
    if not is_new_name or name_problem(after.name) is not None:
        return None
    rule = files_of_rule(rule_name_of(old), old, workspace)
    return rule if rule is not None and all(path in files for path in rule.paths) else None
