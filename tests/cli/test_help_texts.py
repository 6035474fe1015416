"""The help of each command: short, fast, with defaults and examples that parse."""

from __future__ import annotations

import argparse
import importlib
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.command import environment
from tests.cli.terminal_output import shown_on_terminal
from tests.processor_time import is_process_below, seconds_of_process
from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.bridge.adapters.detection import AUTO as DETECTED
from ttsr_ls.bridge.control.agents import CONTROLLED
from ttsr_ls.bridge.proxy.launching.agent_plans import PLANS
from ttsr_ls.cli.agent.model_arguments import PROVIDER_NAMES
from ttsr_ls.cli.agent.models import PROVIDERS
from ttsr_ls.cli.convert import TARGET_NAMES
from ttsr_ls.cli.main import COMMANDS, CliCommand
from ttsr_ls.cli.output_arguments import add_output_arguments
from ttsr_ls.cli.run.command import AGENT_NAMES, PROXIED_NAMES
from ttsr_ls.cli.watch.command import AUTO, SOURCE_NAMES
from ttsr_ls.convert.conversion import TARGETS

MAX_LINES = 55
MAX_CPU = 0.15
"""In seconds, for a process that prints the help of a command."""
LARGE = ("aiohttp", "asyncio", "ast_grep_py", "pygls", "lsprotocol", "rich", "shtab", "yaml", "watchdog")


def parser_of(command: CliCommand) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(f"ttsr-ls {command.name}")
    importlib.import_module(command.module).configure(parser)
    add_output_arguments(parser)
    return parser


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_help_fits_a_screen_and_has_examples_that_parse(command: CliCommand) -> None:
    parser = parser_of(command)
    text = parser.format_help()
    assert len(text.splitlines()) <= MAX_LINES
    assert max(map(len, text.splitlines())) <= 100
    examples = [line.strip().split("   ")[0] for line in text.partition("\nexamples:\n")[2].splitlines()]
    assert examples
    for example in examples:
        program, name, *arguments = shlex.split(example.partition(" < ")[0])
        assert (program, name) == ("ttsr-ls", command.name)
        # The arguments behind `--` are for another program.
        parser.parse_args(arguments[: arguments.index("--")] if "--" in arguments else arguments)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_options_with_a_choice_name_their_default(command: CliCommand) -> None:
    actions = [action for action in parser_of(command)._actions if action.choices and action.option_strings]
    assert not [
        action.option_strings for action in actions if not action.required and "default" not in (action.help or "")
    ]


def test_the_help_names_the_providers_of_models() -> None:
    assert tuple(PROVIDERS) == PROVIDER_NAMES


def test_the_help_names_the_sources_and_the_dialects_that_there_are() -> None:
    assert sorted(SOURCES) == list(SOURCE_NAMES)
    assert AUTO == DETECTED
    assert tuple(map(str, TARGETS)) == TARGET_NAMES


def test_the_help_names_the_agents_that_run() -> None:
    assert sorted(PLANS) == list(PROXIED_NAMES)
    assert sorted({*CONTROLLED, *PLANS}) == list(AGENT_NAMES)


@pytest.mark.unmeasured
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_help_imports_nothing_large_and_takes_little_time(command: CliCommand) -> None:
    code = (
        f"import sys; from ttsr_ls.cli.main import main\n"
        f"try: main([{command.name!r}, '--help'])\nexcept SystemExit: pass\n"
        f"sys.exit(', '.join(name for name in {LARGE!r} if name in sys.modules) or 0)"
    )
    process = [sys.executable, "-c", code]
    assert any(is_process_below(seconds_of_process(process, environment()), MAX_CPU) for _ in range(3))


def test_help_fits_a_narrow_terminal(tmp_path: Path) -> None:
    shown = shown_on_terminal(tmp_path, 70, "new", "--help")
    arguments, _, _ = shown.partition("examples:")
    assert 60 < max(map(len, arguments.splitlines())) <= 70
