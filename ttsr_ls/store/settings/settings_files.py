"""The settings files of an environment, and their order of priority (spec O).

The reference agent also reads the settings of other programs in a project, with a higher priority than those of `.omp`.
So does this module, except for those of Codex and opencode.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.rules.providers import Level
from ttsr_ls.rules.settings.layers import SettingsLayer, SettingsLayers, UnreadableSettings
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, read_text
from ttsr_ls.syntax.settings_file import SettingsFile, read_settings
from ttsr_ls.syntax.settings_locations import PROJECT_SETTINGS, USER_SETTINGS, SettingsFormat


def read_layers(environment: AgentEnvironment) -> SettingsLayers:
    """Returns all settings for an agent in an environment."""
    unreadable: list[UnreadableSettings] = []
    project = project_layers(environment.cwd)
    users = tuple(_users_layers(environment, unreadable))
    return SettingsLayers((*users, *project.layers), tuple(dict.fromkeys((*unreadable, *project.unreadable))))


def project_layers(folder: Path) -> SettingsLayers:
    """Returns the settings of the project in a folder, without the user's."""
    unreadable: list[UnreadableSettings] = []
    files = [_read(folder / location.path, location.format, unreadable) for location in PROJECT_SETTINGS]
    layers = tuple(SettingsLayer(file, Level.PROJECT) for file in files if file is not None)
    return SettingsLayers(layers, tuple(dict.fromkeys(unreadable)))


def _users_layers(environment: AgentEnvironment, unreadable: list[UnreadableSettings]) -> Iterator[SettingsLayer]:
    for location in USER_SETTINGS:
        file = _read(environment.agent_folder / location.name, location.format, unreadable)
        if file is not None:
            yield SettingsLayer(file, Level.USER)
            return


def _read(path: Path, settings_format: SettingsFormat, unreadable: list[UnreadableSettings]) -> SettingsFile | None:
    try:
        text = read_text(path)
    except RuleUnreadableError as error:
        if not isinstance(error.__cause__, FileNotFoundError | NotADirectoryError):
            unreadable.append(_unreadable_folder(path.parent) or UnreadableSettings(str(path), str(error)))
        return None
    # The agent treats an empty JSON file like a missing one.
    if not text and settings_format is not SettingsFormat.YAML:
        return None
    return read_settings(text, str(path), settings_format)


def _unreadable_folder(folder: Path) -> UnreadableSettings | None:
    """Returns a folder that cannot be read, in place of all its files; None if it can."""
    try:
        with os.scandir(folder):
            return None
    except OSError as error:
        return UnreadableSettings(str(folder), f"cannot read the folder {folder}: {error.strerror}")
