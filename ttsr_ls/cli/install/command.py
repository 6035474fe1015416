"""`ttsr-ls install`: adds hooks to agents' settings that call the hook server."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path

import msgspec

from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS
from ttsr_ls.bridge.agent_hooks.installation import add_hooks, fails_closed, mentions_hooks
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.install.change_report import hooks_summary, show_diff
from ttsr_ls.cli.install.git_exclusion import GitExclusion
from ttsr_ls.cli.install.hook_files import HookFiles, check_known, closing_command, found_agents
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.printing.output import is_quiet, write_line, write_note
from ttsr_ls.cli.printing.terminal import Palette, one_line, palette_for
from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import LOOPBACK


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `install`."""
    add_examples(
        parser,
        "AGENT... [options]",
        ("install claude --dry-run", "show what would change"),
        ("install --all", "in all agents on the PATH"),
    )
    add_agents_arguments(parser)
    add_diff_argument(parser)
    parser.add_argument("--dry-run", action="store_true", help="show the diffs without writing anything")
    parser.add_argument(
        "--fail-closed",
        action=argparse.BooleanOptionalAction,
        help="deny tool calls if the hook server does not answer (default: as installed before)",
    )


def add_diff_argument(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the diffs of the files that change."""
    parser.add_argument("--diff", action="store_true", help="show each changed line (default: a summary of the hooks)")


def add_agents_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that name agents."""
    parser.add_argument("agents", nargs="*", metavar="AGENT", help=", ".join(AGENTS))
    parser.add_argument("--all", action="store_true", help="all agents whose program is on the PATH")
    parser.add_argument("--project", action="store_true", help="only for the project in the current folder")


def named_agents(args: argparse.Namespace) -> tuple[str, ...]:
    """Returns the agents that the arguments name. Raises UsageError."""
    check_known(args.agents)
    agents = tuple(dict.fromkeys([*args.agents, *(found_agents() if args.all else ())]))
    if not agents:
        agents_text = ", ".join(found_agents()) or "none"
        raise UsageError(
            f"name an agent ({', '.join(AGENTS)}), or use --all for those whose program is on the PATH: {agents_text}"
        )
    return agents


def run(args: argparse.Namespace) -> int:
    """Installs hooks. Raises UsageError; agents before the one that failed stay installed."""
    files, palette = HookFiles(keeps_address=not args.dry_run), palette_for(sys.stdout)
    agents = named_agents(args)
    with nullcontext() if args.dry_run else files.backup.locked():
        _install_all(agents, args, files, palette)
    return ExitCode.OK


def _install_all(agents: tuple[str, ...], args: argparse.Namespace, files: HookFiles, palette: Palette) -> None:
    taken = files.leave_taken_port()
    if taken is not None:
        write_note(
            f"another program listens on {LOOPBACK}:{taken}, so the hook server gets port {files.server.port}. Claude "
            "Code's hooks that were installed elsewhere, for the user or in a project, have the old port: run "
            "`ttsr-ls install` for them again"
        )
    for agent in agents:
        _install(agent, args, files, palette)


def _install(agent: str, args: argparse.Namespace, files: HookFiles, palette: Palette) -> None:
    hooks, path = AGENTS[agent], files.settings_file(agent, project=args.project)
    before = files.backup.read(path)
    is_closed = fails_closed(before or "") if args.fail_closed is None else args.fail_closed
    try:
        after = add_hooks(before, hooks, msgspec.structs.replace(files.addresses, fails_closed=is_closed))
    except UsageError as error:
        raise UsageError(f"cannot install hooks in {path}: {error}") from error
    if after != before:
        files.backup.check_writable(path)
    if args.project:
        _exclude_from_git(path, args, files, palette)
    had_client = files.has_client
    if not args.dry_run:
        files.write_client()
    if after == before:
        write_line(f"{hooks.title}: the hooks are in {one_line(str(path))} already.")
        if not had_client:
            does = "would be written again" if args.dry_run else "is written again"
            write_line(f"{one_line(str(files.client))} was missing or changed; it {does}.")
        return
    if _shows_diff(args):
        show_diff(path, before, after, palette)
    display = one_line(str(path))
    if args.dry_run:
        write_line(f"{hooks.title}: {display} would get {hooks_summary(after)}.")
        return
    original = None if before is None else files.text_without_hooks(agent, path, before)
    files.backup.write(path, before, after, original)
    done = "is renewed: it has" if mentions_hooks(before or "") else "has"
    write_line(f"{hooks.title}: the hooks are installed.")
    write_line(f"{display} {done} {hooks_summary(after)}.")
    if not is_quiet():
        place = " --project" if args.project else ""
        write_line(f"`ttsr-ls doctor {agent}` tries them, `ttsr-ls uninstall {agent}{place}` undoes it.")
    if files.others_can_read_token(path, after):
        write_note(f"other users of this machine can read the token of the hook server: run `{closing_command(path)}`")
    if hooks.after:
        write_line(hooks.after)


def _shows_diff(args: argparse.Namespace) -> bool:
    return bool(args.dry_run or (args.diff and not is_quiet()))


def _exclude_from_git(path: Path, args: argparse.Namespace, files: HookFiles, palette: Palette) -> None:
    """Has git ignore the settings, because the address in them has a secret token."""
    exclusion = GitExclusion(path, files.backup)
    change = exclusion.change()
    if change is not None:
        if _shows_diff(args):
            show_diff(change.path, change.before, change.after, palette)
        if not args.dry_run:
            exclusion.add(change)
            ignored = f"{one_line(str(path))}, which has a secret token"
            write_line(f"{one_line(str(change.path))} makes git ignore {ignored}.")
            if exclusion.change() is not None:
                write_note(f"git does not ignore {path} because of a later pattern; do not commit its secret token")
    if exclusion.is_tracked:
        write_note(
            f"git tracks {path}, so a commit would publish the token of the hook server: run "
            f"`git rm --cached {path.relative_to(Path.cwd())}`, or install the hooks without --project"
        )
