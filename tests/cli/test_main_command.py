"""The entry point: help, unknown commands, errors without stack traces, closed pipes."""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import cast

import pytest

from tests.cli.command import environment, ttsr_ls, write
from ttsr_ls import __version__
from ttsr_ls.cli import main as entry

RULE = "---\ncondition: foo\n---\nSay so.\n"


@pytest.mark.parametrize("argument", ["--help", "-h", "help"])
def test_help_names_every_command(argument: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = ttsr_ls(capsys, argument)
    assert ran.status == 0
    assert all(f"  {command.name} " in ran.out for command in entry.COMMANDS)


def test_no_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    ran = ttsr_ls(capsys)
    assert (ran.status, ran.out) == (2, "")
    assert "usage: ttsr-ls COMMAND" in ran.err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert ttsr_ls(capsys, "--version").out == f"ttsr-ls {__version__}\n"


@pytest.mark.parametrize(("wrong", "named"), [(["-v", "extra"], "extra"), (["-v", "-v"], "-v"), (["list"], "list")])
def test_version_names_the_argument_that_it_does_not_have(
    wrong: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = ttsr_ls(capsys, "--version", *wrong)
    assert (ran.status, ran.err) == (2, f"ttsr-ls: --version has only the argument --verbose, not '{named}'\n")


@pytest.mark.parametrize(("typed", "meant"), [("chek", "check"), ("lst", "list"), ("explian", "explain")])
def test_unknown_command_suggests_the_near_one(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = ttsr_ls(capsys, typed)
    assert ran.status == 2
    assert f"there is no command '{typed}' (did you mean '{meant}'?)" in ran.err


def test_an_unknown_command_without_a_similar_one_suggests_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean" not in ttsr_ls(capsys, "zzzzzz").err


def test_every_command_describes_its_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    for command in entry.COMMANDS:
        ran = ttsr_ls(capsys, command.name, "--help")
        assert ran.status == 0
        assert ran.out.startswith(f"usage: ttsr-ls {command.name} ")


def test_wrong_arguments_are_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert ttsr_ls(capsys, "check", "--no-such").status == 2
    assert ttsr_ls(capsys, "test", "x", "--chunk", "0").status == 2
    assert ttsr_ls(capsys, "test", "x", "--source", "prose").status == 2


@pytest.mark.parametrize("command", entry.COMMANDS, ids=lambda command: str(command.name))
def test_types_of_arguments_raise_argument_type_errors(command: entry.CliCommand) -> None:
    parser = argparse.ArgumentParser()
    cast(entry.CommandModule, importlib.import_module(command.module)).configure(parser)
    for action in parser._actions:
        if isinstance(action.type, FunctionType):
            with suppress(argparse.ArgumentTypeError):  # argparse shows its text, and of a ValueError the function.
                action.type("x")


@pytest.mark.parametrize(("command", "action"), [("sessions", "prune"), ("hooks", "serve")])
def test_the_usage_of_an_action_has_only_the_command(
    command: str, action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ttsr_ls(capsys, command, action, "--help").out.startswith(f"usage: ttsr-ls {command} {action} [-h]")


@pytest.mark.parametrize(
    "arguments", ["check", "test", "run pi -p x", "proxy --port 0", "watch x", "sessions list", "replay", "quiet"]
)
def test_a_deleted_current_folder_is_reported(arguments: str, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    command = ["sh", "-c", f'rmdir "$PWD" && exec "$0" -m ttsr_ls {arguments}', sys.executable]
    process = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=60)
    message = "ttsr-ls: the current folder does not exist any more; change to a folder that exists\n"
    assert (process.returncode, process.stderr) == (2, message)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["test", "x", "--chunk", "many"], "write a whole number of at least 1, not 'many'"),
        (["test", "x", "--chunk", "9" * 20], f"write a whole number from 1 to {'9' * 15}, not '{'9' * 20}'"),
        (["schema"], "the following arguments are required: KIND"),
        (["completions"], "the following arguments are required: SHELL (choose from bash, zsh, fish)"),
        (["sessions"], "the following arguments are required: ACTION (choose from list, show, "),
        (["convert", "a.md"], "the following arguments are required: --to (choose from omp, "),
        (
            ["why", "no-any", "x as any;"],
            "unrecognized arguments: x as any; (write --text before a text, --file before the name of a file)",
        ),
        (["test", "x", "--matching", "exact"], "invalid choice: 'exact' (choose from "),
        (["run", "cluade"], "(did you mean 'claude'?)"),
        (["hooks", "serv"], "(did you mean 'serve'?)"),
        (["check", "--format", "sarfi"], "(did you mean 'sarif'?)"),
        (["check", "--selct=x"], "unrecognized arguments: --selct=x (did you mean '--select'?)"),
        (["check", "--zzzzzzz"], "unrecognized arguments: --zzzzzzz; 'ttsr-ls check --help' lists all options"),
        (["check", ".", "--stdin-name", "a.md"], "--stdin-name needs - among the paths"),
        (["--verbose"], "there is no option '--verbose'; run 'ttsr-ls --help' for the list"),
        (["help", "chek"], "there is no command 'chek' (did you mean 'check'?)"),
        (["watch", "--from", "claude", "--matching", "exact"], "invalid choice: 'exact' (choose from "),
        (["demo", "--speed", "fast"], "write a number greater than 0, not 'fast'"),
        (["demo", "--speed", "-1"], "write a number greater than 0, not '-1'"),
    ],
)
def test_invalid_values_are_refused_with_a_suggestion_or_the_choices(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = ttsr_ls(capsys, *arguments)
    assert ran.status == 2
    assert complaint in ran.err


def test_interruption_has_the_status_that_shells_give_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(arguments: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "_dispatch", interrupted)
    assert ttsr_ls(capsys, "check", ".").status == 130


def run_process(project: Path, *args: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *args], cwd=project, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_closed_pipe_ends_the_command_quietly(project: Path) -> None:
    write(project, {f"rules/r{number}.md": RULE.replace("foo", "foo|") for number in range(300)})
    process = run_process(project, "-m", "ttsr_ls", "check", "rules")
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr is not None
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 141
    assert errors == b""


def test_a_closed_standard_stream_is_no_error(project: Path) -> None:
    write(project, {"rules/rule.md": RULE.replace("foo", "(")})
    for closed in ("<&-", ">&-"):
        command = f'"$0" -m ttsr_ls check rules {closed}'
        ran = subprocess.run(["sh", "-c", command, sys.executable], cwd=project, env=environment(), stderr=-1)
        assert (ran.returncode, ran.stderr) == (1, b"")


@pytest.mark.unmeasured
@pytest.mark.parametrize("arguments", ["check rules", "explain", "--help", "check --help", "sessions list --help"])
def test_unwritable_output_has_status_2(arguments: str, project: Path) -> None:
    write(project, {"rules/rule.md": RULE})
    command = f'ulimit -f 0; "$0" -m ttsr_ls {arguments} > output'
    ran = subprocess.run(["sh", "-c", command, sys.executable], cwd=project, env=environment(), stderr=-1)
    assert (ran.returncode, ran.stderr) == (2, b"ttsr-ls: cannot continue: File too large\n")


def test_an_internal_error_has_status_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def mistaken(arguments: list[str]) -> int:
        raise LookupError("nobody thought of this")

    monkeypatch.setattr(entry, "_dispatch", mistaken)
    ran = ttsr_ls(capsys, "check", ".")
    assert ran.status == 2
    assert "LookupError: nobody thought of this" in ran.err
    assert ran.err.endswith("ttsr-ls: this is a bug in ttsr-ls; please report it with the lines above\n")


HEAVY = {"pygls", "lsprotocol", "watchdog", "asyncio"}
# Modules that take as long to import as checking a rule, and are not needed for a plain one.
NEEDLESS = {
    "regex", "shutil", "tomllib", "difflib", "ttsr_ls.esregex.match.compile", "ttsr_ls.matching.monitor.monitor",
    "ttsr_ls.bridge",
    "ttsr_ls.lint.checks.ast.patterns", "ttsr_ls.isolation.ast_process", "ttsr_ls.matching.ast.ast_grep",
    "ttsr_ls.lint.dialect_checks", "ttsr_ls.lint.suppressions.suppression", "ttsr_ls.convert",
    "ttsr_ls.cli.check.fixes",
}  # fmt: skip


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["check", "rules"], HEAVY | NEEDLESS),
        (["test", "foo"], HEAVY),
        (["list"], HEAVY),
        (["explain", "glob-shorthand"], HEAVY | NEEDLESS),
    ],
)
def test_commands_import_only_what_they_need(arguments: list[str], unwanted: set[str], project: Path) -> None:
    write(project, {"rules/rule.md": RULE, ".omp/rules/rule.md": RULE})
    program = (
        "import sys; from ttsr_ls.cli.main import main; status = main(sys.argv[2:]); "
        "print(sorted(set(sys.argv[1].split()) & set(sys.modules)), file=sys.stderr); sys.exit(status)"
    )
    process = run_process(project, "-c", program, " ".join(unwanted), *arguments)
    _, errors = process.communicate()
    assert process.returncode == 0
    assert errors == b"[]\n"


def test_help_takes_the_name_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    # argparse ends the process, as with `check --help`.
    with pytest.raises(SystemExit) as ended:
        entry.main(["help", "check"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: ttsr-ls check ")
