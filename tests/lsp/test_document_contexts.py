"""The disk is looked at once for each change of it that the server knows of, however often a document changes."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.lsp.talk import PATIENCE, Starter, codes, make_folder
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lsp.analysis.contexts import DocumentContexts
from ttsr_ls.store.discovery.lint_contexts import LintContexts

RULE = "---\ncondition: 'x'\nscope: text\n---\nNo.\n"


class Clock:
    """A clock that stands still."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Editing:
    """A document of a repository that is edited while the rules around it change on the disk."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder = make_folder(tmp_path)
        self.path = self.folder / ".omp" / "rules" / "a.md"
        self.path.write_text(RULE)
        self.clock = Clock()
        self.workspace = Workspace(folders=(str(self.folder),))
        self._contexts = DocumentContexts(self.clock)

    def add_rule(self, name: str) -> None:
        """Writes a rule to the disk."""
        (self.folder / ".omp" / "rules" / name).write_text(RULE)

    def names(self, *, is_watching: bool = True) -> list[str]:
        """The names of the rules that the next keystroke in the document is checked with."""
        return [rule.name for rule in self.context(is_watching=is_watching).load_order]

    def context(self, *, is_watching: bool = True) -> LintContext:
        """What the next keystroke in the document is checked with."""
        document = Document.of(self.path.as_uri(), str(self.path), 1, RULE)
        return self._contexts.context(document, self.workspace, is_watching=is_watching)


@pytest.fixture
def editing(tmp_path: Path) -> Editing:
    """A document in the root of a workspace."""
    return Editing(tmp_path)


def test_a_reported_change_of_the_disk_renews_the_context(editing: Editing) -> None:
    assert editing.names() == ["a"]
    editing.add_rule("b.md")
    editing.clock.now += 3600
    assert editing.names() == ["a"]
    editing.workspace = editing.workspace.with_changed_disk()
    assert editing.names() == ["a", "b"]


def test_without_watching_the_context_is_renewed_after_a_second(editing: Editing) -> None:
    assert editing.names(is_watching=False) == ["a"]
    editing.add_rule("b.md")
    editing.clock.now += 0.9
    assert editing.names(is_watching=False) == ["a"]
    editing.clock.now += 0.1
    assert editing.names(is_watching=False) == ["a", "b"]


@pytest.mark.parametrize("outside", ["the workspace is a part of the repository", "the document is elsewhere"])
def test_a_context_of_a_repository_outside_of_the_workspace_is_renewed_after_a_second(
    editing: Editing, outside: str
) -> None:
    path = editing.folder / "web" if outside.startswith("the workspace") else editing.folder.parent / "other"
    editing.workspace = replace(editing.workspace, folders=(str(path),))
    assert editing.names() == ["a"]
    editing.add_rule("b.md")
    editing.clock.now += 1.0
    assert editing.names() == ["a", "b"]


def test_the_context_equals_that_of_the_command(editing: Editing) -> None:
    (editing.folder / "ttsr-ls.toml").write_text('ignore = ["matches-everything"]\n')
    (editing.folder / ".omp" / "config.yml").write_text("ttsr:\n  disabledRules: [a]\n")
    (editing.folder / ".gitignore").write_text("b.md\n")
    assert editing.context() == LintContexts().context(editing.path)
    assert editing.context().settings.disabled_rules == ("a",)


def test_an_invalid_configuration_is_logged_once(editing: Editing, caplog: pytest.LogCaptureFixture) -> None:
    (editing.folder / "ttsr-ls.toml").write_text("ignor = []\n")
    assert editing.names() == editing.names() == ["a"]
    assert [record.message for record in caplog.records if "ignor" in record.message] == [
        f"{editing.folder / 'ttsr-ls.toml'}: the configuration has a key `ignor` that does not exist; "
        "did you mean `ignore`?"
    ]


async def test_a_rule_that_appears_shows_with_the_next_keystroke_in_neovim_a_second_later(start: Starter) -> None:
    talk = await start("neovim")
    other = talk.folder / ".agents" / "rules"
    other.mkdir(parents=True)
    uri = talk.open(str(other / "a.md"), RULE)
    assert not (await talk.pull(uri)).items
    (talk.rules / "a.md").write_text(RULE)
    async with asyncio.timeout(PATIENCE):
        for number in itertools.count():
            talk.change(uri, f"{RULE}{number}\n")
            if codes((await talk.pull(uri)).items) == ["shadowed-name"]:
                break
