"""Links in the working folder: guarded files are recognised under all of their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.file_calls import call
from ttsr_ls.agent.tool import ToolError
from ttsr_ls.agent.workspace import AgentWorkspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder."""
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


async def test_a_path_through_links_to_guarded_files_is_recognised(folder: Path) -> None:
    (folder / "shared").mkdir()
    (folder / "shared-rules").mkdir()
    (folder / ".omp").mkdir()
    (folder / ".omp" / "rules").symlink_to("../shared-rules")
    (folder / ".vscode").symlink_to("shared")
    (folder / "rules").symlink_to(".omp/rules")
    (folder / "editor").symlink_to(".vscode")
    workspace = AgentWorkspace(folder)
    assert workspace.confirmation_reason("editor/tasks.json") == "Other programs execute what it holds."
    with pytest.raises(ToolError, match="belongs to the rules"):
        workspace.confirmation_reason("rules/r.md")


async def test_the_target_of_a_link_with_a_guarded_name_is_guarded(folder: Path) -> None:
    for name in ("shared", "Gh", "wf", "rules", "vcs", "sub/deep"):
        (folder / name).mkdir(parents=True)
    (folder / ".omp").mkdir()
    (folder / ".omp" / "rules").symlink_to("../rules")
    (folder / ".vscode").symlink_to("shared")
    (folder / "sub" / "deep" / "AGENTS.md").symlink_to("../../notes.md")
    (folder / ".github").symlink_to("Gh")
    (folder / "Gh" / "workflows").symlink_to("../wf")
    (folder / ".git").symlink_to("vcs")
    workspace = AgentWorkspace(folder)
    assert workspace.confirmation_reason("shared/tasks.json") == "Other programs execute what it holds."
    assert workspace.confirmation_reason("SHARED/tasks.json") == "Other programs execute what it holds."
    assert workspace.confirmation_reason("notes.md") == "Agents read it as instructions."
    assert workspace.confirmation_reason("wf/release.yml") == "Other programs execute what it holds."
    assert workspace.confirmation_reason("gh/workflows/release.yml") == "Other programs execute what it holds."
    assert workspace.confirmation_reason("Gh/readme.txt") is None
    assert workspace.confirmation_reason("wf.txt") is None
    for write in (workspace.confirmation_reason, lambda name: workspace.write(name, b"x")):
        with pytest.raises(ToolError, match="belongs to the rules"):
            write("rules/r.md")
        with pytest.raises(ToolError, match="git's own"):
            write("vcs/hooks/pre-commit")
    outcome = await call(folder, "write", path="shared/tasks.json", content="x")
    assert outcome.text.startswith("The user did not allow writing shared/tasks.json.")
    assert list((folder / "shared").iterdir()) == []


async def test_a_link_to_a_folder_above_itself_ends_the_search(folder: Path) -> None:
    for number in range(12):
        (folder / f"round{number}").symlink_to(".")
    (folder / "a").mkdir()
    (folder / "a" / ".envrc").symlink_to("../b.txt")
    assert AgentWorkspace(folder).confirmation_reason("b.txt") == "Other programs execute what it holds."
    assert AgentWorkspace(folder).confirmation_reason("c.txt") is None


async def test_a_hard_link_to_a_guarded_file_does_not_change_that_file(folder: Path) -> None:
    (folder / "AGENTS.md").write_text("mine")
    (folder / "notes.md").hardlink_to(folder / "AGENTS.md")
    assert not (await call(folder, "write", path="notes.md", content="x")).failed
    assert not (await call(folder, "edit", path="notes.md", old_string="x", new_string="y")).failed
    assert (folder / "notes.md").read_text() == "y"
    assert (folder / "AGENTS.md").read_text() == "mine"


@pytest.mark.parametrize("path", ["ONE.md", "Guarded/r.md", "guarded./r.md"])
async def test_further_guarded_files_are_recognised_in_other_spellings(folder: Path, path: str) -> None:
    workspace = AgentWorkspace(folder, [folder / "guarded", folder / "one.md"])
    with pytest.raises(ToolError, match="belongs to the rules"):
        workspace.write(path, b"x")


async def test_a_guarded_link_may_be_circular(folder: Path) -> None:
    (folder / "round").symlink_to("round")
    workspace = AgentWorkspace(folder, [folder / "round"])
    with pytest.raises(ToolError):
        workspace.write("round", b"x")


async def test_links_inside_are_followed(folder: Path) -> None:
    (folder / "real.txt").write_text("a")
    (folder / "alias.txt").symlink_to("real.txt")
    assert (await call(folder, "write", path="alias.txt", content="b")).text == "Wrote alias.txt."
    assert (folder / "real.txt").read_text() == "b"
    assert (folder / "alias.txt").is_symlink()
