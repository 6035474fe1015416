"""The environment of an agent and its user: the folders from which rules, settings, and sessions are found.

Interprets the environment as the reference agent does: `PI_CODING_AGENT_DIR`, profiles, `PI_CONFIG_DIR`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from ttsr_ls.store.files.existence import exists, is_named
from ttsr_ls.syntax.settings_locations import CLAUDE_FOLDER, OWN_FOLDER

VARIABLES = (
    "CLAUDE_CONFIG_DIR",
    "COPILOT_CUSTOM_INSTRUCTIONS_DIRS",
    "OMP_PROFILE",
    "PI_CODING_AGENT_DIR",
    "PI_CONFIG_DIR",
    "PI_PROFILE",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
)
"""The variables of the environment that decide which rules and settings are found."""

_PROFILE = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9_-])?")


class AgentEnvironment(Struct, frozen=True):
    """The folder that an agent runs in, the home folder of its user, and the environment; both folders absolute."""

    cwd: Path
    home: Path
    environ: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def current() -> AgentEnvironment:
        """Returns the environment of this process."""
        return AgentEnvironment(Path.cwd(), Path.home(), os.environ)

    @property
    def repository(self) -> Path | None:
        """The nearest folder upwards that contains `.git`; None outside of a repository."""
        return next((folder for folder in (self.cwd, *self.cwd.parents) if is_named(folder / ".git")), None)

    @property
    def configuration(self) -> Path:
        """The folder of the agent in the home folder; that of the profile if one is set."""
        root = self.home / (self.environ.get("PI_CONFIG_DIR") or OWN_FOLDER)
        profile = self._profile
        return root if profile is None else root / "profiles" / profile

    @property
    def agent_folder(self) -> Path:
        """The folder with the user's own rules and settings."""
        override = self.environ.get("PI_CODING_AGENT_DIR")
        if override and self._profile is None:
            return Path(os.path.normpath(self.cwd / override))
        return self.configuration / "agent"

    @property
    def plugins_folder(self) -> Path:
        """The folder in which the agent installs packages."""
        data = self.environ.get("XDG_DATA_HOME")
        if data and self.agent_folder == self.configuration / "agent":
            path = Path(data) / "omp" if self._profile is None else Path(data) / "omp" / "profiles" / self._profile
            if exists(path):
                return path / "plugins"
        return self.configuration / "plugins"

    @property
    def claude_folder(self) -> Path:
        """The folder of Claude Code in the home folder."""
        override = self.environ.get("CLAUDE_CONFIG_DIR", "").strip()
        return Path(os.path.normpath(self.cwd / override)) if override else self.home / CLAUDE_FOLDER

    @property
    def _profile(self) -> str | None:
        name = self.environ.get("OMP_PROFILE", self.environ.get("PI_PROFILE", "")).strip()
        return name if name != "default" and _PROFILE.fullmatch(name) else None


def expand_path(path: str, environment: AgentEnvironment) -> Path:
    """Expands a path in settings: `~` is the home folder; a relative path is relative to `environment.cwd`."""
    if path.startswith("~"):
        return Path(os.path.normpath(environment.home / path[1:].lstrip("/")))
    return Path(os.path.normpath(environment.cwd / path))
