"""Finds globs of guidance rules that have no effect."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.globs.every_file import EVERY_FILE
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.dialects.foreign_activation import MEANT_FOR_EVERY_FILE
from ttsr_ls.syntax.dialects.guidance_file import FILE_KEYS, ActivationMode, GuidanceFile, split_globs
from ttsr_ls.syntax.dialects.table import CLAUDE, CURSOR

_CODE = "ineffective-globs"
_RULES = f"{CURSOR.locations[0].path}/"


def check_ineffective_globs(read: GuidanceFile) -> Iterator[Finding]:
    """Reports globs that the program ignores, and globs beside one that matches every file."""
    dialect, key = read.dialect, FILE_KEYS[read.dialect.id]
    value = read.file.value(key)
    globs = split_globs(value)
    if value is None or not globs:
        return
    every = next((glob.value for glob in globs if glob.value in EVERY_FILE), None)
    message = None
    if dialect is CURSOR and read.activation is ActivationMode.ALWAYS:
        is_for_every_file = any(glob.value in MEANT_FOR_EVERY_FILE for glob in globs)
        if not is_for_every_file and any(_names_folder(glob.value) for glob in globs):
            message = (
                "`alwaysApply: true` puts the rule into every conversation, so Cursor ignores these globs. Remove one "
                "of the two keys."
            )
    elif dialect is CLAUDE and read.activation is ActivationMode.ALWAYS:
        message = (
            f"With `**` alone, Claude Code ignores `{key}`: the rule is in every conversation, as without the key. "
            "Remove the key, or name the files."
        )
    elif every is not None and len(globs) > 1 and not any(glob.value.startswith("!") for glob in globs):
        when = ""
        if dialect is CLAUDE:
            when = " Claude Code uses the rule as soon as it reads any file."
        message = f"`{every}` matches every file, so the other globs have no effect.{when} Keep only one of them."
    if message is not None:
        yield report(_CODE, message, value.span)


def _names_folder(glob: str) -> bool:
    """Returns whether a glob is for a part of the project. Globs for a language, or for the rules themselves, are often
    only metadata.
    """
    return "/" in glob.removeprefix("**/") and not glob.startswith(_RULES)
