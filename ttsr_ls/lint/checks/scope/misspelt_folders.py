"""Finds globs with a folder that the project does not have, if it has a folder with nearly the same name.

A missing folder alone is no mistake: it may be generated or not written yet, or the rule is for many projects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ttsr_ls.lint.checks.scope.glob_forms import written_globs
from ttsr_ls.lint.context import LintContext, ProjectFolders
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.lint.scalars import replaced_part
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import RuleFile

_CODE = "unmatchable-glob"
_MAX_GLOBS = 50
_MAX_DEPTH = 8
_MAX_SHOWN = 40
_FOLDER = re.compile(r"[\w.@+-]*\w[\w.@+-]*")
_DIGITS = re.compile(r"\d+")
# Folders that programs create and remove.
_GENERATED = frozenset((
    "artifacts", "bin", "build", "cache", "coverage", "debug", "dist", "gen", "generated", "htmlcov", "logs", "obj",
    "out", "output", "release", "site", "target", "temp", "tmp", "vendor",
))  # fmt: skip


def check_misspelt_folders(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports folders in globs that are probably misspelt: `srcc/**` where the project has `src`."""
    if context.folders is None:
        return
    globs = tuple(islice(written_globs(file), _MAX_GLOBS))
    for glob in globs:
        found = _misspelt(glob.value, context.folders)
        if found is None:
            continue
        start, name, suggestion = found
        path = glob.value[:start] + suggestion
        if any(f"{other.value}/".startswith(f"{path}/") for other in globs):
            continue  # Both spellings are meant: the rule is for several projects.
        span = glob.source_span(start, start + len(name))
        fixes = build_fixes(_CODE, replaced_part(file, span, name, suggestion), title=f"Write {suggestion}")
        message = (
            f"The project has no folder {code(glob.value[:start] + name, _MAX_SHOWN)}, so this matches no file. Is "
            f"{code(path, _MAX_SHOWN)} meant?"
        )
        yield report(_CODE, message, span, *fixes, severity=Severity.INFO)


def _misspelt(glob: str, folders: ProjectFolders) -> tuple[int, str, str] | None:
    """Returns the first missing folder of a glob: its offset, its name, and the name that was meant."""
    names = glob.split("/")[:-1][:_MAX_DEPTH]
    start = 0
    for index, name in enumerate(names):
        if not _FOLDER.fullmatch(name):
            return None
        parent = glob[:start]
        if not folders.has(parent + name):
            suggestion = None if name.lower() in _GENERATED else _nearest(name, folders.below(parent))
            if suggestion is None or not _has_next(f"{parent}{suggestion}", names[index + 1 :], folders):
                return None
            return start, name, suggestion
        start += len(name) + 1
    return None


def _nearest(name: str, existing: tuple[str, ...]) -> str | None:
    # `phase1` is no misspelling of `phase2`.
    same_kind = (other for other in existing if _DIGITS.findall(other) == _DIGITS.findall(name))
    return nearest_word(name, tuple(other for other in same_kind if other.startswith(".") == name.startswith(".")))


def _has_next(folder: str, names: list[str], folders: ProjectFolders) -> bool:
    """Returns whether `folder` contains the next folder of the glob, if the next one is named without wildcards."""
    return not names or not _FOLDER.fullmatch(names[0]) or folders.has(f"{folder}/{names[0]}")
