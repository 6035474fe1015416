"""What the documentation shows works: all commands are understood, and those of the tutorials do what is shown.

A tutorial is run from its beginning: a block with a title is a file, and in a block `console` the lines with `$` are
commands, with their output below. `…` in the output stands for any text.
"""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from tests.docs.pages import BLOCK, EVERY, ROOT, TUTORIALS, is_template, shown_matches, without_placeholders, words_of
from tests.docs.reference_page import PAGE, reference_page
from ttsr_ls.cli.main import COMMANDS
from ttsr_ls.cli.output_arguments import add_output_arguments

_TITLE = re.compile(r'title="([^"]+)"')


@pytest.mark.parametrize(("page", "command"), EVERY, ids=[f"{page.name}: {command[:60]}" for page, command in EVERY])
def test_commands_in_the_documentation_are_understood(page: Path, command: str) -> None:
    if is_template(command):
        # Only the name of a command is sure where words stand for others.
        assert words_of(without_placeholders(command))[0] in {command.name for command in COMMANDS}
        return
    words = words_of(command)
    if words[0] in ("--version", "-V"):
        return
    (named,) = [command for command in COMMANDS if command.name == words[0]]
    parser = argparse.ArgumentParser(exit_on_error=False)
    importlib.import_module(named.module).configure(parser)
    add_output_arguments(parser)
    rest = words[1 : words.index("--")] if "--" in words[1:] else words[1:]
    parser.parse_args(rest)


def test_there_are_many_commands() -> None:
    assert len(EVERY) > 80
    assert (
        len({command.split()[1] for _, command in EVERY if len(command.split()) > 1} & {c.name for c in COMMANDS}) > 15
    )


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: str(path.stem))
def test_a_tutorial_does_what_it_shows(
    tutorial: Path, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(project.parent / "state"))
    ran = 0
    for block in BLOCK.finditer(tutorial.read_text(encoding="utf-8")):
        title = _TITLE.search(block["info"])
        if title is not None:
            path = project / title[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["text"], encoding="utf-8")
        elif block["info"].split()[:1] == ["console"]:
            _, *steps = re.split(r"^\$ ", block["text"], flags=re.M)
            for step in steps:
                command, _, shown = step.partition("\n")
                result = ttsr_ls(capsys, *shlex.split(command)[1:])
                ran += 1
                assert result.status != 2, result.err
                assert shown_matches(shown, result.out), f"$ {command}\n{result.out}"
    assert ran > 2


def test_the_reference_is_made_of_the_schemas() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference_page(), "run: python -m tests.docs.reference_page"


def test_the_menu_of_the_site_has_every_page() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")]
    assert len(pages) > 100
    assert not [page for page in pages if page not in menu and not page.startswith(("findings/", "sessions/"))]
