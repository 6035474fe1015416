"""The checks of `doctor` of an agent's settings: whether they are read, have the hooks, and switch none off."""

from __future__ import annotations

import shlex
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS, AgentHooks, HookAddresses
from ttsr_ls.bridge.agent_hooks.installation import differences, fails_closed, is_installed, repeated_events
from ttsr_ls.bridge.agent_hooks.settings_text import read_settings, unread_reason
from ttsr_ls.cli.install.doctor_report import DoctorCheck
from ttsr_ls.cli.install.hook_files import ClientState, HookFiles, closing_command
from ttsr_ls.errors import UsageError

MANAGED_SETTINGS = {
    "claude": (
        Path("/etc/claude-code/managed-settings.json"),
        Path("/Library/Application Support/ClaudeCode/managed-settings.json"),
    )
}
"""The settings of the machine's administrator, by agent: those of Linux and of macOS.

The files `*.json` in the folder of the same name with the ending `.d` are read after each, in the order of their names.
"""


def check_settings(agent: str, files: HookFiles) -> Iterator[DoctorCheck]:
    """Checks the settings of an agent, and what its hooks need. Stops at a failure that would cause further ones."""
    hooks = AGENTS[agent]
    paths = [files.settings_file(agent, project=False)]
    if hooks.project_file:
        paths.append(files.settings_file(agent, project=True))
    shared = [Path.cwd() / hooks.shared_file] if hooks.shared_file else []
    texts: dict[Path, str] = {}
    for path in dict.fromkeys([*paths, *shared]):
        try:
            text = files.backup.read(path)
        except UsageError as error:
            yield DoctorCheck(f"{path} cannot be read.", str(error))
            return
        if text is not None:
            texts[path] = text
    for path, text in texts.items():
        problem = _settings_problem(hooks, path, text)
        if problem is not None:
            yield problem
            return
    texts = {path: texts[path] for path in paths if path in texts}
    managed = _managed_problem(agent, files)
    if managed is not None:
        yield managed
        return
    addresses = {
        path: msgspec.structs.replace(files.addresses, fails_closed=fails_closed(text)) for path, text in texts.items()
    }
    file_paths = [path for path, text in texts.items() if is_installed(text, hooks, addresses[path])]
    if not file_paths:
        file_paths = [
            path for path, text in texts.items() if is_installed(text, hooks, _add_token_to_url(addresses[path], files))
        ]
        if file_paths:
            yield DoctorCheck(
                f"The hooks in {file_paths[0]} have their secret token in the URL, which "
                f"{hooks.title} prints in its errors.",
                f"Run `{_install_command(agent, files)}`: it moves the token to a header.",
                is_warning=True,
            )
    if not file_paths:
        different = {path: differences(text, hooks, addresses[path]) for path, text in texts.items()}
        edited = next((_differ(path, found) for path, found in different.items() if found), None)
        what = edited or f"The hooks are not in {' or '.join(map(str, paths))}."
        yield DoctorCheck(what, f"Run `{_install_command(agent, files)}`.")
        return
    yield DoctorCheck(f"The hooks are in {file_paths[0]}.")
    for path in file_paths:
        repeated = repeated_events(texts[path])
        if repeated:
            yield DoctorCheck(
                f"{path} has a hook of ttsr-ls more than once, in {_first_ones(repeated, ', ')}. "
                f"{hooks.title} may report each of these events as often.",
                f"Run `ttsr-ls install {agent}{' --project' if path != paths[0] else ''}`: it writes each hook once.",
                is_warning=True,
            )
        if files.others_can_read_token(path, texts[path]):
            yield DoctorCheck(
                f"Other users of this machine can read {path}, which has the token of the hook server.",
                f"Run `{closing_command(path)}`.",
                is_warning=True,
            )
    if addresses[file_paths[0]].fails_closed:
        yield DoctorCheck("They deny tool calls if the hook server does not answer.")
    # Each agent has hooks that run the script; of Claude Code, those for the judge and for loaded instructions.
    if shutil.which("curl") is None:
        yield DoctorCheck("`curl` is not on the PATH.", "Install it: the hooks need it to reach the server.")
    elif files.client_state is ClientState.NOT_EXECUTABLE:
        yield DoctorCheck(
            f"{files.client} {files.client_state.value}: its mode is {_mode_of(files.client)}.",
            f"Run `chmod 700 {shlex.quote(str(files.client))}`.",
        )
    elif not files.has_client:
        yield DoctorCheck(f"{files.client} {files.client_state.value}.", f"Run `{_install_command(agent, files)}`.")


def _mode_of(path: Path) -> str:
    return f"{stat.S_IMODE(path.lstat().st_mode):03o}"


def _first_ones(texts: tuple[str, ...], separator: str) -> str:
    return separator.join(texts if len(texts) <= _MAX_NAMED else (*texts[:_MAX_NAMED], "…"))


def _differ(path: Path, found: tuple[str, ...]) -> str:
    return f"The hooks in {path} differ from what `ttsr-ls install` writes: {_first_ones(found, '; ')}."


_MAX_NAMED = 3


def _add_token_to_url(addresses: HookAddresses, files: HookFiles) -> HookAddresses:
    """The addresses of hooks that earlier versions installed."""
    return msgspec.structs.replace(addresses, url=f"{addresses.url}/{files.server.token}", authorization="")


def _install_command(agent: str, files: HookFiles) -> str:
    """The command that installs the hooks where other hooks of ttsr-ls are already."""
    is_project = bool(AGENTS[agent].project_file) and files.mentions_hooks(files.settings_file(agent, project=True))
    return f"ttsr-ls install {agent}{' --project' if is_project else ''}"


def _managed_problem(agent: str, files: HookFiles) -> DoctorCheck | None:
    """Checks what the settings of the machine's administrator do to all hooks of this user."""
    found: dict[str, tuple[Path, object]] = {}
    for path in _managed_files(agent):
        try:
            settings = read_settings(files.backup.read(path))
        except UsageError:  # The agent does not read them either.
            continue
        found |= {key: (path, settings[key]) for key in _DISABLING if key in settings}
    for key, (path, value) in found.items():
        if value is True:
            return DoctorCheck(
                f"{path}, the settings of the administrator, switches the hooks off by `{key}`.",
                "Ask the administrator to remove this key, or to add the hooks to that file.",
            )
    return None


_DISABLING = ("disableAllHooks", "allowManagedHooksOnly")


def _managed_files(agent: str) -> Iterator[Path]:
    """The files of the administrator's settings in the order in which the agent reads them."""
    for path in MANAGED_SETTINGS.get(agent, ()):
        yield path
        with suppress(OSError):
            more = sorted(path.with_suffix(".d").iterdir())
            yield from (each for each in more if each.suffix == ".json" and not each.name.startswith("."))


def _settings_problem(hooks: AgentHooks, path: Path, text: str) -> DoctorCheck | None:
    if text.strip() and not hooks.accepted.reads(text):
        reason = f"{hooks.title} does not read these settings: {unread_reason(text)}"
        return DoctorCheck(f"{path} has no effect.", f"{reason}. Correct them.")
    try:
        settings = read_settings(text)
    except UsageError as error:
        return DoctorCheck(f"{path} has no effect.", f"{error}.")
    if settings.get("disableAllHooks") is True:
        return DoctorCheck(f"{path} switches all hooks off.", "Remove `disableAllHooks` from it.")
    return None
