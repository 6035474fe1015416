"""`ttsr-ls uninstall`: takes the hooks out of agents' settings again."""

from __future__ import annotations

import argparse
import sys

from ttsr_ls.bridge.agent_hooks.installation import AGENTS, removed
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.hooks.starting import server_state, stop
from ttsr_ls.cli.install.command import add_agents_arguments, named_agents, show_change
from ttsr_ls.cli.install.hook_files import HookFiles
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import one_line, palette_for
from ttsr_ls.errors import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `uninstall`."""
    add_examples(
        parser,
        "AGENT... [options]",
        ("uninstall claude", "restore the settings of Claude Code"),
    )
    add_agents_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Removes hooks, and ends the server after the last. A file without later changes is restored byte for byte.

    Raises UsageError.
    """
    files, palette = HookFiles(keeps_address=False), palette_for(sys.stdout)
    for agent in named_agents(args):
        title, path = AGENTS[agent].title, files.settings_file(agent, project=args.project)
        text = files.backup.read(path)
        if text is None:
            write_line(f"{title}: there is no {one_line(str(path))}, so no hooks are installed.")
            continue
        if files.backup.restore(path, text):
            write_line(f"{title}: {one_line(str(path))} is as it was before.")
            continue
        try:
            after = removed(text, files.addresses)
        except UsageError as error:
            raise UsageError(f"cannot remove hooks from {path}: {error}") from error
        if after == text or _is_same(after, text):
            write_line(f"{title}: no hooks are installed in {one_line(str(path))}.")
            continue
        show_change(path, text, after, palette)
        files.backup.write(path, text, after)
        files.backup.forget(path)
        write_line(f"{title}: the hooks are removed; the file changed since they were installed, and the rest is kept.")
    _stop_server(files)
    return ExitCode.OK


def _stop_server(files: HookFiles) -> None:
    """Ends the hook server unless other hooks need it. Raises UsageError where it does not end."""
    if server_state(files.server) is None:
        return
    if files.has_hooks:
        write_line("The hook server continues, because other hooks are installed. `ttsr-ls hooks stop` ends it.")
    elif stop(files.server):
        write_line("The hook server is stopped.")


def _is_same(after: str, before: str) -> bool:
    import json

    return bool(json.loads(after) == json.loads(before))
