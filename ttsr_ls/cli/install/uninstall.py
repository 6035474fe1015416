"""`ttsr-ls uninstall`: removes the hooks from agents' settings."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tomllib
from contextlib import nullcontext
from pathlib import Path

from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS
from ttsr_ls.bridge.agent_hooks.installation import is_our_handler, mentions_hooks, without_hooks
from ttsr_ls.bridge.agent_hooks.settings_text import read_settings
from ttsr_ls.bridge.wire.fields import get_object, get_objects
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.hooks.starting import server_state, stop
from ttsr_ls.cli.install.change_report import hooks_summary, show_diff
from ttsr_ls.cli.install.command import add_agents_arguments, add_diff_argument, named_agents
from ttsr_ls.cli.install.git_exclusion import GitExclusion
from ttsr_ls.cli.install.hook_files import HookFiles
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.printing.output import is_quiet, write_line
from ttsr_ls.cli.printing.terminal import Palette, one_line, palette_for
from ttsr_ls.errors import UsageError
from ttsr_ls.store.log.session_dirs import state_home
from ttsr_ls.store.open_hook_sessions import forget_open_sessions

_CODEX_SETTINGS = "config.toml"
_SNAKE = re.compile(r"(?<=[a-z])(?=[A-Z])")


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `uninstall`."""
    add_examples(parser, "AGENT... [options]", ("uninstall claude", "restore the settings of Claude Code"))
    add_agents_arguments(parser)
    add_diff_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Removes hooks, and ends the server after the last. A file without later changes is restored byte for byte.

    Raises UsageError.
    """
    files, palette = HookFiles(keeps_address=False), palette_for(sys.stdout)
    agents = named_agents(args)
    with files.backup.locked() if files.has_state else nullcontext():
        _uninstall_all(agents, args, files, palette)
    return ExitCode.OK


def _uninstall_all(agents: tuple[str, ...], args: argparse.Namespace, files: HookFiles, palette: Palette) -> None:
    for agent in agents:
        path = files.settings_file(agent, project=args.project)
        trusted = _trust_entries(path, files) if agent == "codex" else ()
        _uninstall(agent, path, files, palette if args.diff and not is_quiet() else None)
        if trusted:
            _print_trust_entries(trusted, path)
        if not path.exists():
            files.remove_empty_folders(agent, project=args.project)
        if args.project:
            GitExclusion(path, files.backup).remove()
        _print_other_hooks(agent, files, project=args.project)
    _stop_server(files)
    if files.has_state and not files.has_hooks:
        folder = one_line(str(files.client.parent))
        write_line(
            f"{folder} stays: it has the address and the token of the hook server, and its script. No hooks use it; "
            "delete it if you will not install hooks again."
        )


def _uninstall(agent: str, path: Path, files: HookFiles, palette: Palette | None) -> None:
    """Removes the hooks from a file of settings. Prints the diff in the colours of `palette`, if there is one."""
    title, display, text = AGENTS[agent].title, one_line(str(path)), files.backup.read(path)
    if text is None:
        files.backup.forget(path)
        write_line(f"{title}: there is no {display}, so no hooks are installed there.")
        return
    files.backup.check_writable(path)
    removed = hooks_summary(text) if mentions_hooks(text) else ""
    first = files.backup.first_original(path)
    if files.backup.restore(path, text, lambda original: without_hooks(original, AGENTS[agent])):
        restored = files.backup.read(path)
        if first is not None and first != (restored or ""):
            if not is_quiet():  # These are changes by the user.
                show_diff(path, first, restored, palette_for(sys.stdout))
            rest = "is as it was before the last installation, with your changes since the first one"
            write_line(f"{title}: {display} {rest}. Removed: {removed}.")
            return
        rest = "is as it was before" if path.exists() else "did not exist before the installation, so it is deleted"
        write_line(f"{title}: {display} {rest}. Removed: {removed}.")
        _show(path, text, restored, palette)
        return
    try:
        read_settings(text)
        if not mentions_hooks(text):
            files.backup.forget(path)  # Its user removed the hooks, so there is nothing to restore.
            write_line(f"{title}: no hooks are installed in {display}.")
            return
        after = files.text_without_hooks(agent, path, text)
    except UsageError as error:
        raise UsageError(f"cannot remove hooks from {path}: {error}, or delete the entries of ttsr-ls") from error
    _show(path, text, after, palette)
    is_original = after is not None and after == files.backup.backup_of(path)
    files.backup.replace(path, text, after)
    if is_original:
        write_line(f"{title}: {display} is as it was before. Removed: {removed}.")
        return
    rest = "nothing else was in it, so it is deleted" if after is None else "the rest is kept"
    write_line(
        f"{title}: {removed} are removed from {display}; the file changed since they were installed, and {rest}."
    )


def _show(path: Path, before: str | None, after: str | None, palette: Palette | None) -> None:
    if palette is not None:
        show_diff(path, before, after, palette)


def _trust_entries(path: Path, files: HookFiles) -> tuple[str, ...]:
    """The keys under which Codex keeps its trust in our hooks in the file `path`, by event and position."""
    try:
        events = read_settings(files.backup.read(path)).get("hooks", {})
        settings = tomllib.loads(files.backup.read(path.with_name(_CODEX_SETTINGS)) or "")
    except (UsageError, RecursionError, ValueError):
        return ()
    ours = {
        f"{path}:{_SNAKE.sub(r'_', event).lower()}:{group}:{number}"
        for event, entries in events.items()
        for group, entry in enumerate(entries)
        for number, handler in enumerate(get_objects(entry, "hooks") if isinstance(entry, dict) else ())
        if is_our_handler(handler)
    }
    kept = get_object(get_object(settings, "hooks"), "state")
    return tuple(key for key in kept if key in ours)


def _print_trust_entries(keys: tuple[str, ...], path: Path) -> None:
    shown = one_line(str(path.with_name(_CODEX_SETTINGS)))
    write_line(
        f"Codex: its trust in these hooks stays in {shown}, in {count(len(keys), 'table')} such as "
        f"[hooks.state.{json.dumps(keys[0])}]. You can delete them: they concern no other hooks."
    )


def _print_other_hooks(agent: str, files: HookFiles, *, project: bool) -> None:
    """Prints that hooks of the agent stay in the other one of its two settings files."""
    if not AGENTS[agent].project_file:
        return
    other = files.settings_file(agent, project=not project)
    if files.mentions_hooks(other):
        command = f"ttsr-ls uninstall {agent}{'' if project else ' --project'}"
        write_line(f"{AGENTS[agent].title}: hooks stay in {one_line(str(other))}; `{command}` removes them.")


def _stop_server(files: HookFiles) -> None:
    """Ends the hook server unless other hooks need it. Raises UsageError where it does not end."""
    if server_state(files.server) is None:
        return
    if files.has_hooks:
        write_line("The hook server continues, because other hooks are installed. `ttsr-ls hooks stop` ends it.")
    elif stop(files.server):
        forget_open_sessions(state_home(os.environ, Path.home()))
        write_line("The hook server is stopped.")
