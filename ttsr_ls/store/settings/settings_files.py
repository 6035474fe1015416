"""The settings files of an environment, and their order of priority (spec O).

The reference agent also takes the settings of other programs in a project for its own, above those of `.omp`; so does
this, save for those of Codex and opencode.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.rules.providers import Level
from ttsr_ls.rules.settings.layers import SettingsLayer, SettingsLayers
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.files.bounded_file import read_text_if_there
from ttsr_ls.syntax.settings_file import SettingsFile, read_settings
from ttsr_ls.syntax.settings_locations import PROJECT_SETTINGS, USER_SETTINGS, SettingsFormat


def read_layers(environment: AgentEnvironment) -> SettingsLayers:
    """All settings that count for an agent in an environment."""
    return SettingsLayers((*_users_layers(environment), *project_layers(environment.cwd).layers))


def project_layers(folder: Path) -> SettingsLayers:
    """The settings of the project in a folder alone."""
    files = (_read(folder / location.path, location.format) for location in PROJECT_SETTINGS)
    return SettingsLayers(tuple(SettingsLayer(file, Level.PROJECT) for file in files if file is not None))


def _users_layers(environment: AgentEnvironment) -> Iterator[SettingsLayer]:
    for location in USER_SETTINGS:
        file = _read(environment.agent_folder / location.name, location.format)
        if file is not None:
            yield SettingsLayer(file, Level.USER)
            return


def _read(path: Path, settings_format: SettingsFormat) -> SettingsFile | None:
    text = read_text_if_there(path)
    # The agent takes an empty JSON file for one that is not there.
    if text is None or (not text and settings_format is not SettingsFormat.YAML):
        return None
    return read_settings(text, str(path), settings_format)
