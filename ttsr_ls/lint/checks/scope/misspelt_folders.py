"""Finds globs of a folder that the project does not have, where it has one of nearly the same name.

A folder that is missing alone is no mistake: it may be generated, or not written yet, or a rule is for many projects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ttsr_ls.lint.checks.scope.glob_forms import written_globs
from ttsr_ls.lint.context import LintContext, ProjectFolders
from ttsr_ls.lint.finding import Finding, Fix, Safety, Severity
from ttsr_ls.lint.message_text import code
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
# Folders that programs make, and remove.
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
        edit = replaced_part(file, span, name, suggestion)
        fixes = () if edit is None else (Fix(f"Write {suggestion}", (edit,), Safety.UNSAFE),)
        message = (
            f"The project has no folder {code(glob.value[:start] + name, _MAX_SHOWN)}, so this matches no file. Is "
            f"{code(path, _MAX_SHOWN)} meant?"
        )
        yield Finding(_CODE, Severity.INFO, message, span, fixes)


def _misspelt(glob: str, folders: ProjectFolders) -> tuple[int, str, str] | None:
    """The first folder of a glob that is missing: where it begins, its name, and the name that was meant."""
    names = glob.split("/")[:-1][:_MAX_DEPTH]
    start = 0
    for index, name in enumerate(names):
        if not _FOLDER.fullmatch(name):
            return None
        parent = glob[:start]
        if not folders.has(parent + name):
            suggestion = None if name.lower() in _GENERATED else _meant(name, folders.below(parent))
            if suggestion is None or not _goes_on(f"{parent}{suggestion}", names[index + 1 :], folders):
                return None
            return start, name, suggestion
        start += len(name) + 1
    return None


def _meant(name: str, existing: tuple[str, ...]) -> str | None:
    # `phase1` is no slip of `phase2`.
    same_kind = (other for other in existing if _DIGITS.findall(other) == _DIGITS.findall(name))
    return nearest_word(name, tuple(other for other in same_kind if other.startswith(".") == name.startswith(".")))


def _goes_on(folder: str, names: list[str], folders: ProjectFolders) -> bool:
    """Returns whether the folder that was meant has the next one too, if that is named."""
    return not names or not _FOLDER.fullmatch(names[0]) or folders.has(f"{folder}/{names[0]}")
