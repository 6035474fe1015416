"""Hovers for keys and values of the project's configuration, in Markdown."""

from __future__ import annotations

from ttsr_ls.ide.configuration.config_context import (
    ConfigKeyContext,
    ConfigText,
    ConfigValueContext,
    config_context,
    is_severity,
    key_of,
)
from ttsr_ls.ide.explain.hover import Hover
from ttsr_ls.ide.explain.values import FileList, WorkspaceFileList, glob_text
from ttsr_ls.ide.markdown import escape_markdown, inline_code
from ttsr_ls.lint.catalogue import CatalogueEntry, find
from ttsr_ls.lint.config.keys import ALL, ConfigKey, ConfigKind
from ttsr_ls.lint.finding import Safety
from ttsr_ls.syntax.dialects.table import DIALECTS

_SEVERITIES = {
    "error": "The rule does not do what its text says. `check` ends with status 1.",
    "warning": "The rule probably does not do what its text says. `check` ends with status 1.",
    "info": "Something in the rule has no effect. `check` ends with status 0.",
    "hint": "Shown unobtrusively in editors. `check` ends with status 0.",
}


def config_hover(file: ConfigText, offset: int, files: WorkspaceFileList = FileList) -> Hover | None:
    """The hover text at an offset; None where there is none. `files` lists the files of the workspace."""
    context = config_context(file, offset)
    if context is None or not len(context.span):
        return None
    source = file.text[context.span.start : context.span.end].strip("\"'")
    if not source:
        return None
    match context:
        case ConfigKeyContext():
            text = _key_text(key_of((*context.path, source)), find(source) if context.path else None)
        case ConfigValueContext():
            text = _value_text(context, source, files)
    return None if text is None else Hover(context.span, text)


def _key_text(key: ConfigKey | None, entry: CatalogueEntry | None) -> str | None:
    if key is not None:
        return f"**`{key.name}`**: {key.kind}\n\n{key.documentation}\n\n```toml\n{key.example}\n```"
    return None if entry is None else _code_text(entry)


def _value_text(context: ConfigValueContext, source: str, files: WorkspaceFileList) -> str | None:
    if is_severity(context.path):
        meaning = _SEVERITIES.get(source)
        return None if meaning is None else f"`{source}`: {meaning}"
    key = key_of(context.path)
    match None if key is None else key.kind:
        case ConfigKind.CODES if source == ALL:
            return '`"all"`: every code.'
        case ConfigKind.CODES:
            entry = find(source)
            return None if entry is None else _code_text(entry)
        case ConfigKind.DIALECT:
            dialect = next((dialect for dialect in DIALECTS if dialect.id == source), None)
            return None if dialect is None else f"`{source}`: rules of {escape_markdown(dialect.program)}."
        case ConfigKind.GLOBS:
            return glob_text(source, files)
        case ConfigKind.FOLDERS:
            inside = sum(1 for name in files().names if name.startswith(f"{source.strip('/')}/"))
            return f"{inline_code(source)}: a folder with {inside} file{'' if inside == 1 else 's'} of the workspace."
        case _:
            return None


def _code_text(entry: CatalogueEntry) -> str:
    has_fix = "a safe fix" if entry.fix_safety is Safety.SAFE else "a fix that needs a review"
    return (
        f"**`{entry.code}`** ({entry.severity}): {escape_markdown(entry.summary)}.\n\n"
        f"Where it can be fixed: {has_fix}, “{escape_markdown(entry.fix_title)}”."
    )
