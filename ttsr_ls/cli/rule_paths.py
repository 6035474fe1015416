"""Finds the files that `check` reads: named files, and rule and settings files below named folders.

Owns the walk. `ide.rule_detection` decides which Markdown file is a rule, so that the editor and the command agree.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from ttsr_ls.errors import UsageError
from ttsr_ls.ide.rule_detection import (
    has_rule_key,
    has_trigger_key,
    is_in_rule_folder,
    is_misnamed_instruction,
    is_misplaced_hookify_rule,
)
from ttsr_ls.lint.locations.placement import ACCOMPANYING
from ttsr_ls.rule_tests.case_file_names import is_case_file, rule_stem
from ttsr_ls.store.case_file_paths import rule_file_of
from ttsr_ls.store.files.bounded_file import read_bytes
from ttsr_ls.syntax.dialects.locations import CURSOR_RULES, RULE_SUFFIXES
from ttsr_ls.syntax.settings_locations import settings_format_of

# Folders of files of others: the user cannot fix rules in them.
_FOREIGN = {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", "site-packages"}
# People put rules into folders of this name, wherever these are.
_RULES = "rules"
# Rule files have their keys at the top, so reading the beginning of a Markdown file decides whether it is one.
_HEAD_BYTES = 16_384


def rule_paths(
    names: list[str],
    holds_rules: Callable[[Path], bool] = lambda folder: False,
    on_unreadable: Callable[[Path, str], None] = lambda folder, reason: None,
) -> Iterator[Path]:
    """The files to check, in order, each once. Raises `UsageError` for a path that does not exist.

    `holds_rules` decides which further folders have only rules. `on_unreadable` is called with each named folder and
    each rule folder that cannot be listed, or is a broken link, and the reason. Other folders need not be readable.
    """
    seen: set[Path] = set()
    if not all(Path(name).is_absolute() for name in names):
        # Fails in a deleted folder, in which `.` still exists and is empty.
        Path.cwd()
    for name in names:
        path = Path(name)
        if not name:  # An empty shell variable must not mean the current folder.
            raise UsageError("the name of a file or folder is empty")
        if not path.exists():
            advice = "; globs are for the shell: leave out the quotes, or name the folder" if "*" in name else ""
            raise UsageError(f"there is no file or folder {name}{advice}")
        for file in _rule_files(path, holds_rules, on_unreadable) if path.is_dir() else (path,):
            if file not in seen:
                seen.add(file)
                yield file


def _rule_files(
    root: Path, holds_rules: Callable[[Path], bool], on_unreadable: Callable[[Path, str], None]
) -> Iterator[Path]:
    def on_error(error: OSError) -> None:
        folder = Path(error.filename)
        if folder == root or folder.name == _RULES or _may_hold_rules(folder) or holds_rules(folder):
            on_unreadable(folder, f"cannot read {folder}: {error.strerror}")

    # A folder that is named is taken to hold rules. The current folder is not: it is checked by default.
    is_named = not _is_current(root) or root.absolute().name == _RULES
    for folder, folders, files in os.walk(root, onerror=on_error):
        folders[:] = sorted(name for name in folders if name not in _FOREIGN)
        for name in sorted(files):
            path = Path(folder, name)
            # No agent loads a rule with a suffix in capitals, which is a finding.
            if name.lower().endswith(RULE_SUFFIXES) and not name.startswith("."):
                in_root = path.parent == root
                if _is_rule(path, named=(in_root and is_named) or holds_rules(path.parent), in_root=in_root):
                    yield path
            elif settings_format_of(str(path.absolute())) is not None or _is_of_rule(path):
                yield path
            elif path.is_symlink() and (_may_hold_rules(path) or holds_rules(path)):
                try:
                    path.stat()
                except OSError as error:
                    on_unreadable(path, f"cannot read {path}: {error.strerror}")


def _may_hold_rules(folder: Path) -> bool:
    """Returns whether a folder is a location of rules, or the one above such a location, as `.omp`."""
    return any(is_in_rule_folder(str((folder / name).absolute())) for name in ("a.md", "rules/a.md"))


def _is_of_rule(path: Path) -> bool:
    """Returns whether a file has the tests of a rule: it is named so, and is in a folder of rules or beside a rule."""
    if not is_case_file(path.name):
        return False
    rule = path.with_name(f"{rule_stem(path.name)}.md")
    return path.parent.name == _RULES or is_in_rule_folder(str(rule.absolute())) or rule_file_of(path) is not None


def _is_current(folder: Path) -> bool:
    try:
        return folder.samefile(Path.cwd())
    except OSError:
        return False


def _is_rule(path: Path, *, named: bool, in_root: bool) -> bool:
    """Returns whether a Markdown file is a rule.

    In a `named` folder, each file with frontmatter is one. The current folder, and folders called `rules`, may have
    files of other programs, too.
    """
    head = _head(path)
    if head is None:
        return is_in_rule_folder(str(path.absolute()))
    if head.lstrip("\ufeff \t\r\n").startswith("---"):
        return (
            named
            or (_is_shared_folder(path.parent) and path.suffix == CURSOR_RULES.suffixes[0])
            or ((in_root or _is_shared_folder(path.parent)) and has_rule_key(head))
            or is_in_rule_folder(str(path.absolute()))
            or has_trigger_key(head)
            or is_misplaced_hookify_rule(str(path.absolute()), head)
            or is_misnamed_instruction(str(path.absolute()), head)
        )
    return is_in_rule_folder(str(path.absolute())) and path.stem.lower() not in ACCOMPANYING


def _is_shared_folder(folder: Path) -> bool:
    """Returns whether a folder is called `rules` and does not belong to a program, as `.continue/rules` does.

    The table of locations has the folders of the known programs. The meaning of `globs` or `alwaysApply` in the folder
    of any other program is unknown.
    """
    return folder.name == _RULES and not folder.absolute().parent.name.startswith(".")


def _head(path: Path) -> str | None:
    """The beginning of a file; None where it cannot be read."""
    try:
        if not path.is_file():
            return None
        return read_bytes(path, _HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
