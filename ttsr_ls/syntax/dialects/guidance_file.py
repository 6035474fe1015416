"""Guidance rules, which are part of the prompt and never fire: the files of Cursor, Windsurf, Cline, GitHub Copilot and
Claude Code.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from ttsr_ls.errors import UsageError
from ttsr_ls.globs.every_file import EVERY_FILE
from ttsr_ls.syntax.dialects import guidance_keys
from ttsr_ls.syntax.dialects.table import Dialect, DialectId
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile, read_plain
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import ListValue, ScalarValue, Value
from ttsr_ls.syntax.whitespace import trim_text

FILE_KEYS = {
    DialectId.CURSOR: "globs",
    DialectId.WINDSURF: "globs",
    DialectId.GITHUB: "applyTo",
    DialectId.CLINE: "paths",
    DialectId.CLAUDE: "paths",
}
"""The key that names the files of a rule, in each program."""


class ActivationMode(Enum):
    """The condition under which a guidance rule is in the prompt."""

    ALWAYS = "in every conversation"
    FOR_FILES = "when files come up that match its globs"
    ON_REQUEST = "when the model asks for it by its description"
    MANUALLY = "when the user mentions it"
    NEVER = "never"


class GuidanceFile(Struct, frozen=True):
    """A guidance rule. `globs` are its effective globs, each with its span."""

    file: PlainFile
    dialect: Dialect
    activation: ActivationMode
    globs: tuple[MappedText, ...]
    description: MappedText | None


def read_guidance(text: str, *, name: str, path: str, dialect: Dialect) -> GuidanceFile:
    """Reads a file of a guidance dialect. Never raises on content. Raises `UsageError` for a dialect whose
    rules fire.
    """
    file = read_plain(text, name=name, path=path)
    description = file.text_value("description")
    if description is not None and not description.value.strip():
        description = None
    globs, activation = _reading(file, dialect, description is not None)
    return GuidanceFile(file, dialect, activation, globs, description)


def _reading(file: PlainFile, dialect: Dialect, is_described: bool) -> tuple[tuple[MappedText, ...], ActivationMode]:
    match dialect.id:
        case DialectId.CURSOR:
            globs = split_globs(file.value("globs"))
            return globs, _cursor(file, globs, is_described)
        case DialectId.WINDSURF:
            globs = split_globs(file.value("globs"))
            return globs, _windsurf(file, globs, is_described)
        case DialectId.GITHUB:
            globs = split_globs(file.value("applyTo"))
            if any(glob.value in EVERY_FILE for glob in globs):
                return globs, ActivationMode.ALWAYS
            return globs, ActivationMode.FOR_FILES if globs else ActivationMode.MANUALLY
        case DialectId.CLAUDE:
            globs = _restricting(split_globs(file.value("paths")))
            return globs, ActivationMode.FOR_FILES if globs else ActivationMode.ALWAYS
        case DialectId.CLINE:
            globs = split_globs(file.value("paths"))
            if globs:
                return globs, ActivationMode.FOR_FILES
            return globs, ActivationMode.NEVER if isinstance(file.value("paths"), ListValue) else ActivationMode.ALWAYS
        case _:
            raise UsageError(f"rules of {dialect.program} are not guidance")


def _restricting(globs: tuple[MappedText, ...]) -> tuple[MappedText, ...]:
    """Returns globs of Claude Code; none if they are all `**`. Its reader removes `/**` from their ends before."""
    return globs if any(glob.value.removesuffix("/**") not in ("", "**") for glob in globs) else ()


def _cursor(file: PlainFile, globs: tuple[MappedText, ...], is_described: bool) -> ActivationMode:
    always = file.value("alwaysApply")
    if isinstance(always, ScalarValue) and always.data is True:
        return ActivationMode.ALWAYS
    if globs:
        return ActivationMode.FOR_FILES
    return ActivationMode.ON_REQUEST if is_described else ActivationMode.MANUALLY


def _windsurf(file: PlainFile, globs: tuple[MappedText, ...], is_described: bool) -> ActivationMode:
    trigger = file.text_value("trigger")
    match trigger.value if trigger is not None else None:
        case "always_on":
            return ActivationMode.ALWAYS
        case "glob":
            return ActivationMode.FOR_FILES if globs else ActivationMode.NEVER
        case "model_decision":
            return ActivationMode.ON_REQUEST if is_described else ActivationMode.NEVER
        case guidance_keys.WINDSURF_AGENT_TRIGGER:
            return ActivationMode.ON_REQUEST
        case _:
            return ActivationMode.MANUALLY


def split_globs(value: Value | None) -> tuple[MappedText, ...]:
    """Returns the globs of a list, or of a text with globs separated by commas. Commas in braces and brackets do not
    separate.
    """
    items = value.items if isinstance(value, ListValue) else (value,)
    texts = [item.text for item in items if isinstance(item, ScalarValue) and isinstance(item.data, str)]
    return tuple(part for text in texts for part in _parts(text))


def _parts(text: MappedText) -> list[MappedText]:
    parts: list[MappedText] = []
    start = depth = 0
    for offset, char in enumerate(text.value):
        if char in "{[":
            depth += 1
        elif char in "}]":
            depth = max(0, depth - 1)
        elif char == "," and depth == 0:
            parts.append(trim_text(text.slice(start, offset)))
            start = offset + 1
    parts.append(trim_text(text.slice(start, len(text.value))))
    return [part for part in parts if part.value]
