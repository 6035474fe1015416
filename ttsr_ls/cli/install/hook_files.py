"""The files of installed hooks: an agent's settings, and the client script."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterable
from enum import Enum
from functools import cached_property
from pathlib import Path, PurePath

from ttsr_ls.bridge.agent_hooks.client.client_script import client_file, client_script, write_client_script
from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS, HookAddresses
from ttsr_ls.bridge.agent_hooks.installation import mentions_hooks, remove_hooks, without_hooks
from ttsr_ls.bridge.agent_hooks.settings_text import has_same_json
from ttsr_ls.cli.agent.judge_variables import JUDGE_VARIABLE
from ttsr_ls.cli.hooks.starting import is_taken, server_state
from ttsr_ls.errors import UsageError
from ttsr_ls.store.files.private_files import is_readable_by_others
from ttsr_ls.store.hook_server_file import (
    HookServerAddress,
    address_file,
    free_port,
    hook_server_address,
    planned_address,
    stored_address,
)
from ttsr_ls.store.log.session_dirs import state_home, workspace_folder, workspace_root
from ttsr_ls.store.settings_backup import SettingsBackup
from ttsr_ls.syntax.nearest_word import nearest_word

_PROGRAMS = {"cursor": ("cursor-agent",), "vscode": ("code", "copilot")}
"""The programs of an agent that are not called as the agent. Copilot CLI reads VS Code's file of hooks."""


class ClientState(Enum):
    """The state of the client script; the values complete sentences about it."""

    READY = "is as it is installed"
    MISSING = "is missing"
    NOT_EXECUTABLE = "cannot be read and run"
    CHANGED = "differs from what `ttsr-ls install` writes"


class HookFiles:
    """The files of hooks: those of the user, and those of the project in the current folder."""

    def __init__(self, *, keeps_address: bool = True) -> None:
        """`keeps_address`: an address for the server is chosen and stored if there is none yet."""
        self._keeps_address = keeps_address
        self._home = Path.home()
        self._state = state_home(os.environ, self._home)
        self._folder = address_file(self._state).parent
        self.backup = SettingsBackup(self._folder / "settings")

    @cached_property
    def server(self) -> HookServerAddress:
        """The address of the hook server. Raises UsageError."""
        return hook_server_address(self._state) if self._keeps_address else planned_address(self._state)

    def leave_taken_port(self) -> int | None:
        """Moves the server to a free port if another program listens on its port; returns the port that was taken.

        Raises UsageError.
        """
        stored = stored_address(self._state)
        if stored is None or server_state(stored) is not None or not is_taken(stored.port):
            return None
        port = free_port()
        is_kept = self._keeps_address
        self.server = hook_server_address(self._state, port) if is_kept else HookServerAddress(port, stored.token)
        return stored.port

    def text_without_hooks(self, agent: str, path: Path, text: str) -> str | None:
        """The settings without hooks, unchanged if there are none; None if the file was made for the hooks.

        Where the backup has the same settings, its text is returned: only the hooks were edited since.
        Raises UsageError for a text that cannot be rewritten without loss.
        """
        rest = without_hooks(text, AGENTS[agent])
        backup = self.backup.backup_of(path)
        if rest is None and backup is not None and not mentions_hooks(backup):
            rest = remove_hooks(text, AGENTS[agent])
        is_original = rest is not None and backup is not None and mentions_hooks(text) and has_same_json(rest, backup)
        return backup if is_original else rest

    def others_can_read_token(self, path: Path, text: str) -> bool:
        """Returns whether other users can read settings whose text has the token of the server. Raises UsageError."""
        return self.server.token in text and is_readable_by_others(path)

    def remove_empty_folders(self, agent: str, *, project: bool) -> None:
        """Removes the folders of the agent's settings that are empty."""
        hooks = AGENTS[agent]
        if not project and self._moved_folder(agent) is not None:
            return
        top, name = (Path.cwd(), hooks.project_file) if project else (self._home, hooks.user_file)
        for folder in PurePath(name).parents[:-1]:
            try:
                (top / folder).rmdir()
            except OSError:  # It is not empty, or it is a link.
                return

    @property
    def client(self) -> Path:
        """The client script."""
        return client_file(self._state)

    @property
    def addresses(self) -> HookAddresses:
        """The addresses that hooks are installed with."""
        ensure = (sys.executable, "-m", "ttsr_ls", "hooks", "ensure")
        return HookAddresses(
            self.server.url, self.server.authorization, str(self.client), ensure, bool(os.environ.get(JUDGE_VARIABLE))
        )

    @property
    def has_state(self) -> bool:
        """True if something was installed or a hook server was started before."""
        return self._folder.is_dir()

    @property
    def is_state_writable(self) -> bool:
        """True if the folder of the server can be written, or is not there yet."""
        return os.access(self._folder, os.W_OK) or not self._folder.exists()

    @property
    def has_hooks(self) -> bool:
        """True if hooks are installed for some agent of this user, or in some project."""
        paths = [self.settings_file(agent, project=False) for agent in AGENTS]
        paths += [self.settings_file(agent, project=True) for agent, hooks in AGENTS.items() if hooks.project_file]
        return self.backup.has_copies or any(map(self.mentions_hooks, paths))

    def mentions_hooks(self, path: Path) -> bool:
        """Returns whether a file of settings has hooks of some address or version; False for one that cannot be
        read."""
        try:
            text = self.backup.read(path)
        except UsageError:
            return False
        return text is not None and mentions_hooks(text)

    def is_set_up(self, agent: str) -> bool:
        """True if the agent has hooks, or had them and `uninstall` did not remove them."""
        paths = [self.settings_file(agent, project=False)]
        if AGENTS[agent].project_file:
            paths.append(self.settings_file(agent, project=True))
        return any(self.backup.has_copy_of(path) or self.mentions_hooks(path) for path in paths)

    def settings_file(self, agent: str, *, project: bool) -> Path:
        """The settings of an agent. Raises UsageError where it reads no hooks of a project."""
        hooks = AGENTS[agent]
        if not project:
            path = self._moved_folder(agent)
            return self._home / hooks.user_file if path is None else path / PurePath(hooks.user_file).name
        if not hooks.project_file:
            file_path = self.settings_file(agent, project=False)
            raise UsageError(f"{hooks.title} reads hooks from {file_path} only; leave out --project")
        return Path.cwd() / hooks.project_file

    def _moved_folder(self, agent: str) -> Path | None:
        """The folder of the user's settings that the environment names; None: the one in the home folder."""
        variable = AGENTS[agent].folder_variable
        name = os.environ.get(variable, "").strip() if variable else ""
        return Path(os.path.normpath(Path.cwd() / name)) if name else None

    def project_settings(self, agent: str) -> dict[str, str]:
        """The texts of the agent's settings in the project, by their paths there. Raises UsageError."""
        names = (AGENTS[agent].project_file, AGENTS[agent].shared_file)
        texts = {name: self.backup.read(Path.cwd() / name) for name in names if name}
        return {name: text for name, text in texts.items() if text is not None}

    def forget_workspace(self, folder: Path) -> None:
        """Removes the session logs of a scratch folder."""
        shutil.rmtree(workspace_folder(self._state, workspace_root(folder)), ignore_errors=True)

    @property
    def has_client(self) -> bool:
        """True if the client script is as it is installed now, and can be run."""
        return self.client_state is ClientState.READY

    @property
    def client_state(self) -> ClientState:
        """The state of the client script."""
        try:
            text = self.client.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ClientState.MISSING
        except PermissionError:
            return ClientState.NOT_EXECUTABLE
        except (OSError, UnicodeDecodeError):
            return ClientState.CHANGED
        if text != client_script(self.server.url, self.server.authorization):
            return ClientState.CHANGED
        return ClientState.READY if os.access(self.client, os.X_OK) else ClientState.NOT_EXECUTABLE

    def write_client(self) -> None:
        """Writes the client script, or its mode, unless both are right. Raises UsageError."""
        if not self.has_client:
            write_client_script(self._state, self.server)


def closing_command(path: Path) -> str:
    """Returns the command after which other users cannot read a file."""
    return f"chmod o-r {shlex.quote(str(path))}"


def check_known(agents: Iterable[str]) -> None:
    """Raises UsageError for the first agent whose hooks are not known."""
    unknown_name = next((agent for agent in agents if agent not in AGENTS), None)
    if unknown_name is not None:
        nearest = nearest_word(unknown_name, AGENTS)
        advice = f"name one of {', '.join(AGENTS)}" if nearest is None else f"did you mean '{nearest}'?"
        raise UsageError(f"there is no agent with hooks called '{unknown_name}'; {advice}")


def found_agents() -> tuple[str, ...]:
    """The agents whose program is on the PATH."""
    return tuple(name for name in AGENTS if shutil.which(program_of(name)))


def program_of(agent: str) -> str:
    """The name of the agent's program; of several ones, the first that is on the PATH."""
    names = _PROGRAMS.get(agent, (agent,))
    return next(filter(shutil.which, names), names[0])
