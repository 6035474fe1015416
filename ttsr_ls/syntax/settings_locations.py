"""The one table of the settings files that affect rules: their locations and formats (spec O)."""

from __future__ import annotations

from enum import Enum
from pathlib import PurePath

from msgspec import Struct


class SettingsFormat(Enum):
    """The format of a settings file."""

    YAML = "YAML"
    JSON = "JSON"
    JSON_WITH_COMMENTS = "JSON with comments"


class SettingsLocation(Struct, frozen=True):
    """A settings file: its name, and the names of the folders that contain it."""

    folders: tuple[str, ...]
    name: str
    format: SettingsFormat

    @property
    def path(self) -> str:
        """The path relative to the project's folder, or to the home folder."""
        return "/".join((*self.folders, self.name))


OWN_FOLDER = ".omp"
CLAUDE_FOLDER = ".claude"
CODEX_FOLDER = ".codex"
GEMINI_FOLDER = ".gemini"
CONFIGURATION_FOLDERS = (OWN_FOLDER, CLAUDE_FOLDER, CODEX_FOLDER, GEMINI_FOLDER)
"""The folders of a project in which the reference agent looks for other files than settings, in this order."""
_USERS = (OWN_FOLDER, "agent")

PROJECT_SETTINGS = (
    SettingsLocation((OWN_FOLDER,), "settings.json", SettingsFormat.JSON),
    SettingsLocation((OWN_FOLDER,), "config.yml", SettingsFormat.YAML),
    SettingsLocation((CLAUDE_FOLDER,), "settings.json", SettingsFormat.JSON),
    SettingsLocation((".gemini",), "settings.json", SettingsFormat.JSON),
    SettingsLocation((".cursor",), "settings.json", SettingsFormat.JSON),
)
"""The files of a project, in ascending order of priority. All are read."""

USER_SETTINGS = (
    SettingsLocation(_USERS, "config.yml", SettingsFormat.YAML),
    SettingsLocation(_USERS, "config.yaml", SettingsFormat.YAML),
    SettingsLocation(_USERS, "settings.json", SettingsFormat.JSON_WITH_COMMENTS),
)
"""The files of a user. Of these, the first that exists is read."""

UNREAD_SETTINGS = SettingsLocation((OWN_FOLDER,), "config.yaml", SettingsFormat.YAML)
"""A file that users write in projects, where the reference agent does not read it."""

SETTINGS_LOCATIONS = (*USER_SETTINGS, *PROJECT_SETTINGS, UNREAD_SETTINGS)
OTHER_PROGRAMS = frozenset(location.folders[0] for location in SETTINGS_LOCATIONS if location.folders[0] != OWN_FOLDER)
"""The folders of other programs whose settings oh-my-pi reads as well."""
_OWN = tuple(location for location in SETTINGS_LOCATIONS if location.folders[0] == OWN_FOLDER)


def settings_format_of(path: str) -> SettingsFormat | None:
    """Returns the format of the settings file of oh-my-pi at a path; None for any other file."""
    location = _own_location_of(path)
    return None if location is None else location.format


def is_unread_settings_file(path: str) -> bool:
    """Returns whether a path has the name of a settings file, in a location that oh-my-pi does not read."""
    return _own_location_of(path) is UNREAD_SETTINGS


def _own_location_of(path: str) -> SettingsLocation | None:
    pure = PurePath(path)
    folders = pure.parts[:-1]
    return next(
        (
            location
            for location in _OWN
            if location.name == pure.name and folders[-len(location.folders) :] == location.folders
        ),
        None,
    )
