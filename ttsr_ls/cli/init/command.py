"""`ttsr-ls init`: shows the files for a first rule, its test, editors, pre-commit, and CI, and then writes them."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from ttsr_ls import __version__
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.init.project_files import (
    CI_PARTS,
    PARTS,
    REQUIREMENT_MARK,
    RULES,
    ProjectFile,
    checkout,
    default_requirement,
)
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.printing.output import is_quiet, write_line
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line, palette_for
from ttsr_ls.errors import UsageError
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, read_file
from ttsr_ls.store.files.rewriting import rewrite_file

_MAX_LINES = 40


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `init`."""
    add_examples(
        parser,
        "[options]",
        ("init --dry-run", "show all files without writing them"),
        ("init --only rule", "write one rule and its test"),
        ("init --only rule,gitlab", "write also a job of GitLab CI"),
    )
    parser.add_argument("--dry-run", action="store_true", help="show the files without writing them")
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask before writing")
    parser.add_argument(
        "--only",
        metavar="PART,…",
        help=f"write only these parts: {', '.join(PARTS)} (default: all, with gitlab instead of github if there is a "
        ".gitlab-ci.yml)",
    )
    parser.add_argument(
        "--install", metavar="REQUIREMENT", help=f"what CI installs with pip (default: {default_requirement()})"
    )


def run(args: argparse.Namespace) -> int:
    """Shows the files and writes them.

    Raises `UsageError` for an unknown part, without a terminal for the question, and for a file that cannot be written;
    `NotRewrittenError` for a file that cannot be replaced.
    """
    folder, palette = Path.cwd(), palette_for(sys.stdout)
    requirement = default_requirement() if args.install is None else _requirement(args.install)
    parts = _parts(args.only, folder)
    files = [file for part in parts for file in PARTS[part](requirement)]
    new = [file for file in files if not (folder / file.path).exists()]
    # Without `--install`, a requirement that was chosen earlier stays.
    outdated = [] if args.install is None else [file for file in files if _is_outdated(folder / file.path, file, parts)]
    for file in files:
        _show(file, file in new, file in outdated, _is_as_written(folder / file.path, file), palette)
    if args.dry_run or not new + outdated:
        write_line("Nothing is written." if args.dry_run else "All files exist; nothing is written.")
        return ExitCode.OK
    if not args.yes and not sys.stdin.isatty():
        raise UsageError(
            "nothing is written: standard input is not a terminal, so nobody can be asked; "
            "'ttsr-ls init --yes' writes without asking"
        )
    if not args.yes and not _confirms(len(new + outdated)):
        write_line("Nothing is written.")
        return ExitCode.OK
    for file in new:
        _write(folder / file.path, file.text)
    for file in outdated:
        path = folder / file.path
        rewrite_file(path, read_file(path), file.text.encode())
    write_line(f"{count(len(new + outdated), 'file')} written.")
    if not is_quiet():
        _print_next_steps(any(file.path.startswith(RULES) for file in new))
        if args.install is None and any("pip install" in file.text for file in new):
            _print_installation_in_ci([part for part in parts if part in CI_PARTS])
    return ExitCode.OK


def _requirement(text: str) -> str:
    """Returns the text. Raises `UsageError` for one that the quoted argument of `pip install` cannot hold."""
    if not text.strip() or not text.isprintable() or set(text) & set('"\\`') or ": " in text or " #" in text:
        raise UsageError(
            f"'{text}' is no requirement for a CI file: write one line without double quotes, backslashes, and "
            "backquotes, such as vendor/ttsr_ls.whl"
        )
    return text


def _is_as_written(path: Path, file: ProjectFile) -> bool:
    try:
        return read_file(path) == file.text.encode()
    except (OSError, RuleUnreadableError):
        return False


def _is_outdated(path: Path, file: ProjectFile, parts: list[str]) -> bool:
    """Returns whether the file at `path` is unchanged since `init` wrote it, but has another requirement."""
    try:
        existing = read_file(path).decode("utf-8")
    except (OSError, UnicodeDecodeError, RuleUnreadableError):
        return False
    template = next(
        project_file
        for part in parts
        for project_file in PARTS[part](REQUIREMENT_MARK)
        if project_file.path == file.path
    )
    before, mark, after = template.text.partition(REQUIREMENT_MARK)
    if not mark or existing == file.text or not (existing.startswith(before) and existing.endswith(after)):
        return False
    requirement = existing[len(before) : len(existing) - len(after)]
    return requirement.isprintable() and '"' not in requirement


def _parts(only: str | None, folder: Path) -> list[str]:
    if only is None:
        ci = "gitlab" if (folder / ".gitlab-ci.yml").exists() else "github"
        return ["rule", "vscode", "pre-commit", ci]
    names = [name.strip() for name in only.split(",")]
    unknown_name = next((name for name in names if name not in PARTS), None)
    if unknown_name is not None:
        raise UsageError(f"there is no part '{unknown_name}'; there are {', '.join(PARTS)}")
    return list(dict.fromkeys(names))


def _show(file: ProjectFile, is_new: bool, is_outdated: bool, is_as_written: bool, palette: Palette) -> None:
    write_line(palette.paint(f"{file.path}: {file.purpose}", TextStyle.STRONG))
    if is_outdated:
        write_line("  exists with another requirement for pip, and is replaced:")
    elif is_as_written:
        write_line("  exists with this content")
        write_line()
        return
    elif not is_new:
        write_line("  exists and is kept; add what you need of this:")
    lines = file.text.splitlines()
    for line in lines[:_MAX_LINES]:
        write_line(palette.paint(f"  | {line}".rstrip(), TextStyle.FAINT))
    if len(lines) > _MAX_LINES:
        write_line(palette.paint(f"  | … {count(len(lines) - _MAX_LINES, 'more line')}", TextStyle.FAINT))
    write_line()


def _confirms(number: int) -> bool:
    write_line(f"Write {'this file' if number == 1 else f'these {number} files'}? [y/N] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def _print_installation_in_ci(parts: list[str]) -> None:
    """Prints how CI can install this program if it runs from a checkout, which CI does not have."""
    folder = checkout()
    if folder is None:
        return
    wheel = f"vendor/ttsr_ls-{__version__}-py3-none-any.whl"
    write_line()
    write_line(
        f"CI installs {default_requirement()} from the package index, but this program runs from a local folder."
    )
    write_line("Until that version is released, commit a wheel, and have CI install it:")
    write_line(f"  pip wheel --no-deps --wheel-dir vendor {shlex.quote(one_line(folder))}")
    write_line(f"  ttsr-ls init --only {','.join(parts)} --install {wheel}")


def _print_next_steps(has_rule: bool) -> None:
    steps = [("ttsr-ls test", "runs the tests of the rule")] if has_rule else []
    steps += [
        ("ttsr-ls check", "finds mistakes in rules"),
        ("ttsr-ls install claude", "enforces the rules in Claude Code"),
        ("ttsr-ls watch", "reports the rules that fire while an agent runs here"),
    ]
    write_line("Next:")
    for command, purpose in steps:
        write_line(f"  {command:<24}{purpose}")
