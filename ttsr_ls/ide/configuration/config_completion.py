"""Completion in the project's configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import assert_never

from ttsr_ls.ide.completion.completion import Completion, CompletionKind
from ttsr_ls.ide.configuration.config_context import (
    ConfigKeyContext,
    ConfigText,
    ConfigValueContext,
    config_context,
    is_severity,
    key_of,
)
from ttsr_ls.lint.catalogue import CATALOGUE
from ttsr_ls.lint.config.keys import (
    ALL,
    CONFIG_KEYS,
    OVERRIDE_KEYS,
    OVERRIDES,
    PATHS,
    SEVERITIES,
    SEVERITY,
    ConfigKey,
    ConfigKind,
)
from ttsr_ls.lint.config.table_reader import ConfigPath
from ttsr_ls.syntax.dialects.table import DIALECTS

_MAX_FOLDERS = 200
_LISTS = (ConfigKind.CODES, ConfigKind.GLOBS, ConfigKind.FOLDERS, ConfigKind.FEATURES)


def complete_config(
    file: ConfigText, offset: int, files: Callable[[], Sequence[str]] = tuple
) -> tuple[Completion, ...]:
    """Returns the completions at an offset. `files` lists the files of the workspace, relative to its folder."""
    context = config_context(file, offset)
    match context:
        case None:
            return ()
        case ConfigKeyContext():
            return tuple(_keys(file, context))
        case ConfigValueContext():
            return tuple(_values(context, files))
    assert_never(context)


def _keys(file: ConfigText, context: ConfigKeyContext) -> Iterator[Completion]:
    if context.is_header:
        key = OVERRIDES if file.text.startswith("[[", context.span.start - 2) else SEVERITY
        if key in _keys_of_table(context.path):
            yield Completion(CompletionKind.KEY, key.name, key.name, context.span, key.documentation)
        return
    for key in _keys_of_table(context.path):
        if key.name not in context.other_keys:
            text, is_snippet = (key.name, False) if context.has_value else (_snippet(key, bool(file.root)), True)
            yield Completion(CompletionKind.KEY, key.name, text, context.span, key.documentation, is_snippet)
    if context.path and context.path[-1] == SEVERITY.name and key_of(context.path) is not None:
        for entry in CATALOGUE:
            if entry.code not in context.other_keys:
                text = entry.code if context.has_value else f'{entry.code} = "${{1:{entry.severity}}}"'
                yield Completion(
                    CompletionKind.KEY, entry.code, text, context.span, f"{entry.summary}.", not context.has_value
                )


def _keys_of_table(path: ConfigPath) -> tuple[ConfigKey, ...]:
    match path:
        case ():
            return CONFIG_KEYS
        case (OVERRIDES.name, int()):
            return OVERRIDE_KEYS
        case _:
            return ()


def _snippet(key: ConfigKey, is_shared: bool) -> str:
    """A snippet of a key with a placeholder for its value."""
    match key.kind:
        case ConfigKind.CODES | ConfigKind.GLOBS | ConfigKind.FOLDERS | ConfigKind.FEATURES:
            return f'{key.name} = ["${{1}}"]'
        case ConfigKind.BOOLEAN:
            return f"{key.name} = ${{1|true,false|}}"
        case ConfigKind.SEVERITIES:
            return f'{key.name} = {{ ${{1:code}} = "${{2:{SEVERITIES[0]}}}" \\}}'
        case ConfigKind.DIALECT:
            return f'{key.name} = "${{1:{DIALECTS[0].id}}}"'
        case ConfigKind.OVERRIDES:
            prefix = "tool.ttsr-ls." if is_shared else ""
            return f'[[{prefix}{key.name}]]\n{PATHS.name} = ["${{1:drafts/**}}"]'
        case _:
            assert_never(key.kind)


def _values(context: ConfigValueContext, files: Callable[[], Sequence[str]]) -> Iterator[Completion]:
    key = SEVERITY if is_severity(context.path) else key_of(context.path)
    if key is None or (key is SEVERITY and not is_severity(context.path)):
        return
    is_list = key.kind in _LISTS
    for value, documentation in _listed(key, files):
        if value not in context.other_items:
            text = f'"{value}"' if context.in_list or not is_list else f'["{value}"]'
            yield Completion(CompletionKind.VALUE, text, text, context.span, documentation)


def _listed(key: ConfigKey, files: Callable[[], Sequence[str]]) -> Iterator[tuple[str, str]]:
    match key.kind:
        case ConfigKind.CODES:
            yield ALL, "Every code."
            yield from ((entry.code, f"{entry.summary}. ({entry.severity})") for entry in CATALOGUE)
        case ConfigKind.SEVERITIES:
            yield from ((severity, key.documentation) for severity in SEVERITIES)
        case ConfigKind.DIALECT:
            yield from ((str(dialect.id), f"Rules of {dialect.program}.") for dialect in DIALECTS)
        case ConfigKind.FOLDERS:
            yield from ((folder, "A folder of the workspace.") for folder in _folders(files()))
        case ConfigKind.GLOBS:
            yield from ((f"{folder}/**", "All files of the folder.") for folder in _folders(files()))
        case ConfigKind.FEATURES | ConfigKind.OVERRIDES | ConfigKind.BOOLEAN:
            return  # The features are those of installed packages, which this package does not know.
        case _:
            assert_never(key.kind)


def _folders(files: Sequence[str]) -> list[str]:
    # Deduplicated first: many files share a folder, and creating a path for each file takes long.
    parents = {name.rpartition("/")[0] for name in files}
    found = {str(folder) for parent in parents for folder in (PurePosixPath(parent), *PurePosixPath(parent).parents)}
    found.discard(".")
    return sorted(found)[:_MAX_FOLDERS]
