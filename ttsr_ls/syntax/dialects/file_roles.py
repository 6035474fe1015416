"""The role that a rule file has for the reference agent because of its location (spec D).

Nearly all files are rules. `RULES.md` is always part of the prompt, and the instructions of GitHub Copilot have a key
of their own for the files that they apply to.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath
from typing import assert_never

from msgspec.structs import replace

from ttsr_ls.globs.every_file import EVERY_FILE
from ttsr_ls.syntax.dialects.locations import COPILOT_INSTRUCTIONS, PROJECT_STICKY, RULE_SUFFIXES, USER_STICKY
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, Fields, ListValue, RuleFile, ScalarValue, Value
from ttsr_ls.syntax.whitespace import trim_text

USER_STICKY_NAME = "RULES"
PROJECT_STICKY_NAME = "RULES@project"
"""The names of the rules in `RULES.md`, of which an agent may have two."""


class FileRole(StrEnum):
    """The roles of files that the reference agent reads."""

    RULE = "rule"
    STICKY = "sticky"
    """`RULES.md`: a part of every prompt, whatever its frontmatter says."""
    INSTRUCTIONS = "instructions"
    """`*.instructions.md`: `applyTo` takes the place of `globs`."""


def role_of(path: str) -> FileRole:
    """Returns the role in which the file at a path is read, provided it is read at all."""
    pure = PurePath(path)
    if PROJECT_STICKY.contains(pure) or USER_STICKY.contains(pure):
        return FileRole.STICKY
    if COPILOT_INSTRUCTIONS.contains(pure):
        return FileRole.INSTRUCTIONS
    return FileRole.RULE


def rule_name_of(path: str) -> str:
    """Returns the name of the rule in the file at a path."""
    pure = PurePath(path)
    match role_of(path):
        case FileRole.STICKY:
            return USER_STICKY_NAME if USER_STICKY.contains(pure) else PROJECT_STICKY_NAME
        case FileRole.INSTRUCTIONS:
            return pure.name.removesuffix(COPILOT_INSTRUCTIONS.suffixes[0])
        case FileRole.RULE:
            name = pure.name
            return next((name.removesuffix(end) for end in RULE_SUFFIXES if name.endswith(end) and name != end), name)


def with_role(file: RuleFile, role: FileRole) -> RuleFile:
    """Returns the rule file as the agent reads it in that role, without the problems that it does not have there."""
    match role:
        case FileRole.RULE:
            return file
        case FileRole.STICKY:
            return replace(file, fields=replace(file.fields, always_apply=True))
        case FileRole.INSTRUCTIONS:
            entry = _apply_to(file)
            problems = tuple(problem for problem in file.problems if entry is None or problem.span != entry.key_span)
            return replace(file, fields=_instructions(file), problems=problems)
    assert_never(role)


def _apply_to(file: RuleFile) -> Entry | None:
    return None if file.frontmatter is None else file.frontmatter.entry("applyTo")


def _instructions(file: RuleFile) -> Fields:
    entry = _apply_to(file)
    globs = tuple(_globs(entry.value)) if entry is not None else ()
    if any(glob.value in EVERY_FILE for glob in globs):
        return replace(file.fields, always_apply=True, globs=())
    described = f"for {', '.join(glob.value for glob in globs)}" if globs else "without `applyTo`"
    description = file.fields.description
    if description is None:
        description = f"Instructions of GitHub Copilot {described}"
    return replace(file.fields, always_apply=False, globs=globs, description=description)


def _globs(value: Value) -> list[MappedText]:
    """The globs of `applyTo`: commas separate them, also inside of braces."""
    items = value.items if isinstance(value, ListValue) else (value,)
    globs: list[MappedText] = []
    for item in items:
        if not isinstance(item, ScalarValue) or not isinstance(item.data, str):
            continue
        start = 0
        for part in item.text.value.split(","):
            glob = trim_text(item.text.slice(start, start + len(part)))
            start += len(part) + 1
            if glob.value:
                globs.append(glob)
    return globs
