"""The file tools: their effects inside of the working folder, and no access outside."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.agent.file_calls import call, refuse
from tests.rule_locations import LOCATIONS, sample_paths
from ttsr_ls.agent.file_tools import file_tools
from ttsr_ls.agent.tool import ToolOutcome
from ttsr_ls.agent.workspace import MAX_FILE, AgentWorkspace
from ttsr_ls.syntax.settings_locations import SETTINGS_LOCATIONS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with a secret beside it, and links to that."""
    (tmp_path / "work").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "work" / "out").symlink_to(tmp_path)
    (tmp_path / "work" / "link.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "work" / "circle").symlink_to(tmp_path / "work" / "circle")
    return tmp_path / "work"


OUTSIDE = ["../secret.txt", "out/secret.txt", "link.txt", "a/../../secret.txt", "out/new.txt", "..", "/etc/hostname"]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("read", {}), ("write", {"content": "x"}), ("edit", {"old_string": "secret", "new_string": "x"})],
)
async def test_paths_outside_of_the_folder_are_refused(
    folder: Path, path: str, tool: str, arguments: dict[str, str]
) -> None:
    outcome = await call(folder, tool, path=path, **arguments)
    assert outcome.failed
    assert "outside of the working folder" in outcome.text
    assert (folder.parent / "secret.txt").read_text() == "secret"
    assert not (folder.parent / "new.txt").exists()


@pytest.mark.parametrize("path", ["", " ", "a\0b", "circle", "circle/x", "x" * 300, "x/" * 3000])
async def test_invalid_paths_are_refused(folder: Path, path: str) -> None:
    assert (await call(folder, "read", path=path)).failed
    assert (await call(folder, "write", path=path, content="x")).failed


GITS = [
    ".git/hooks/pre-commit", ".GIT/config", "sub/.git", "vcs/config", "x/../.git/config", ".g\u200cit/config",
    ".git./config", ".git::$INDEX_ALLOCATION/config", "git~1/config",
]  # fmt: skip


@pytest.mark.parametrize("path", GITS)
async def test_files_of_git_are_refused(folder: Path, path: str) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("mine")
    (folder / "vcs").symlink_to(".git")
    for tool, arguments in [
        ("read", {}), ("write", {"content": "x"}), ("edit", {"old_string": "mine", "new_string": "x"}),
    ]:  # fmt: skip
        outcome = await call(folder, tool, path=path, **arguments)
        assert outcome == ToolOutcome(f"{path} is git's own; ask for a git command instead.", True)
    assert [path.name for path in (folder / ".git").iterdir()] == ["config"]
    assert (folder / ".git" / "config").read_text() == "mine"


RULES = [
    ".omp/rules/r.md", "pkg/.omp/settings.json", ".OMP/rules/new.md", ".claude/settings.json", ".cursor/rules/r.mdc",
    ".clinerules", ".agents/rules/r.md", ".pi/rules/r.md", ".github/instructions/r.md", "ttsr-ls.toml", "alias/r.md",
    "guarded/r.md", "guarded/new/r.md", "to-guarded/r.md", "one.md", ".kiro/hooks/on-save.json",
    ".omp\u200b/rules/r.md", *(path for location in LOCATIONS for path in sample_paths(location)),
    *(settings.path for settings in SETTINGS_LOCATIONS),
]  # fmt: skip


@pytest.mark.parametrize("path", RULES)
async def test_rules_and_guarded_files_can_be_read_and_not_written(folder: Path, path: str) -> None:
    (folder / ".omp" / "rules").mkdir(parents=True)
    (folder / "guarded").mkdir()
    (folder / "alias").symlink_to(".omp/rules")
    (folder / "to-guarded").symlink_to("guarded")
    tools = {
        tool.name: tool for tool in file_tools(AgentWorkspace(folder, [folder / "guarded", folder / "one.md"]), refuse)
    }
    outcome = await tools["write"].call(json.dumps({"path": path, "content": "x"}))
    assert outcome.failed
    assert outcome.text.startswith(f"{path} belongs to the rules, settings or records that you work under")
    assert not (folder / path).exists()
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text("rule")
    assert await tools["read"].call(json.dumps({"path": path})) == ToolOutcome("rule", False)
    edit = await tools["edit"].call(json.dumps({"path": path, "old_string": "rule", "new_string": "x"}))
    assert edit == outcome
    assert (folder / path).read_text() == "rule"


@pytest.mark.parametrize("path", ["omp/rules.md", "git-hooks/x", "agents.md.txt", "vscode/settings.json", "ignore"])
async def test_files_with_similar_names_can_be_written(folder: Path, path: str) -> None:
    assert not (await call(folder, "write", path=path, content="x")).failed


async def test_read_returns_the_lines_of_a_file(folder: Path) -> None:
    (folder / "a.txt").write_bytes(b"one\r\ntwo\n\xff\n")
    assert await call(folder, "read", path="a.txt") == ToolOutcome("one\r\ntwo\n\ufffd\n", False)
    assert await call(folder, "read", path=str(folder / "a.txt"), offset=2, limit=1) == ToolOutcome(
        "two\n[1 more lines: read on with offset 3.]", False
    )
    (folder / "empty").write_bytes(b"")
    assert (await call(folder, "read", path="empty")).text == "[There is nothing here.]"
    assert (await call(folder, "read", path="none")).text == "none: no such file or directory"


async def test_read_counts_lines_like_editors(folder: Path) -> None:
    (folder / "a.c").write_text("one\f\u2028\ntwo\x85\nthree\n")
    assert (await call(folder, "read", path="a.c", offset=2, limit=1)).text == (
        "two\x85\n[1 more lines: read on with offset 3.]"
    )


async def test_large_and_special_files_are_refused(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "large").write_bytes(b"x" * (MAX_FILE + 1))
    assert (await call(folder, "read", path="pipe")).text == "pipe is not a file."
    assert (await call(folder, "read", path=".")).failed
    assert (await call(folder, "read", path="large")).text == "large is larger than 1024 KiB."
    assert (await call(folder, "write", path="new", content="x" * (MAX_FILE + 1))).failed
    assert (await call(folder, "write", path="pipe", content="x")).text == "pipe is not a file."
    assert not (folder / "new").exists()


async def test_write_creates_folders_and_keeps_the_mode(folder: Path) -> None:
    assert await call(folder, "write", path="a/b/c.sh", content="é") == ToolOutcome("Wrote a/b/c.sh.", False)
    (folder / "a/b/c.sh").chmod(0o755)
    await call(folder, "write", path="a/b/c.sh", content="f")
    assert (folder / "a/b/c.sh").read_text() == "f"
    assert (folder / "a/b/c.sh").stat().st_mode & 0o777 == 0o755
    assert [path.name for path in (folder / "a/b").iterdir()] == ["c.sh"]
    assert (await call(folder, "write", path="a/b", content="x")).text == "a/b is not a file."
    assert (await call(folder, "write", path="a/b/c.sh/d", content="x")).failed


async def test_edit_replaces_a_unique_text(folder: Path) -> None:
    (folder / "a.txt").write_bytes(b"one two two\r\n")
    assert (await call(folder, "edit", path="a.txt", old_string="one", new_string="1")).text == "Edited a.txt."
    assert (folder / "a.txt").read_bytes() == b"1 two two\r\n"
    twice = await call(folder, "edit", path="a.txt", old_string="two", new_string="2")
    assert twice == ToolOutcome("old_string is there 2 times: give more of what is around it.", True)
    absent = await call(folder, "edit", path="a.txt", old_string="three", new_string="3")
    assert absent == ToolOutcome("old_string is not there.", True)
    (folder / "b").write_bytes(b"\xff")
    assert (await call(folder, "edit", path="b", old_string="x", new_string="y")).text == "b is not UTF-8 text."


@pytest.mark.parametrize("arguments", ["", "[]", "{", "null", '{"path": 1, "x": 2}', '{"path": []}', "[" * 100_000])
async def test_invalid_arguments_are_refused(folder: Path, arguments: str) -> None:
    read = file_tools(AgentWorkspace(folder), refuse)[0]
    outcome = await read.call(arguments)
    assert outcome.failed
    assert outcome.text.startswith("read cannot use these arguments: ")
    assert outcome.text.endswith("It takes: path, offset, limit.")


async def test_lone_surrogates_are_replaced_in_written_files(folder: Path) -> None:
    write = file_tools(AgentWorkspace(folder), refuse)[1]
    assert not (await write.call('{"path": "a", "content": "\\ud83d\\ude00 \\ud83d"}')).failed
    assert (folder / "a").read_text() == "😀 \ufffd"


def test_schemas_are_plain_objects(folder: Path) -> None:
    for tool in file_tools(AgentWorkspace(folder), refuse):
        assert tool.schema["type"] == "object"
        assert "path" in tool.schema["required"]
        assert "$ref" not in json.dumps(tool.schema)


ASKED = [
    ("AGENTS.md", "Agents read it as instructions."),
    ("sub/CLAUDE.md", "Agents read it as instructions."),
    (".github/copilot-instructions.md", "Agents read it as instructions."),
    (".envrc", "Other programs execute what it holds."),
    (".vscode/tasks.json", "Other programs execute what it holds."),
    (".mcp.json", "Other programs execute what it holds."),
    (".husky/pre-commit", "Other programs execute what it holds."),
    (".GitHub/Workflows/ci.yml", "Other programs execute what it holds."),
    ("editor/tasks.json", "Other programs execute what it holds."),
    ("editor-of-editor/tasks.json", "Other programs execute what it holds."),
    (".vs\u200ccode/tasks.json", "Other programs execute what it holds."),
    (".vscode./tasks.json", "Other programs execute what it holds."),
    (".bash_login", "Other programs execute what it holds."),
    (".config/fish/config.fish", "Other programs execute what it holds."),
    (".cargo/config.toml", "Other programs execute what it holds."),
    ("shop.code-workspace", "Other programs execute what it holds."),
    ("sub/HEAD", "Other programs execute what it holds."),
    (".dockerignore", "It hides files from git and from other tools."),
    (".gitignore", "It hides files from git and from other tools."),
    ("sub/.ignore", "It hides files from git and from other tools."),
]


@pytest.mark.parametrize(("path", "why"), ASKED)
@pytest.mark.parametrize("is_allowed", [False, True])
async def test_files_that_other_programs_use_need_confirmation(
    folder: Path, path: str, why: str, is_allowed: bool
) -> None:
    (folder / ".vscode").mkdir()
    (folder / "editor").symlink_to(".vscode")
    (folder / "editor-of-editor").symlink_to("editor")
    asked: list[str] = []

    async def permission(question: str) -> bool:
        asked.append(question)
        return is_allowed

    tools = {tool.name: tool for tool in file_tools(AgentWorkspace(folder), permission)}
    outcome = await tools["write"].call(json.dumps({"path": path, "content": "old"}))
    assert asked == [f"Write {path!r}? {why}"]
    assert (folder / path).exists() is is_allowed
    assert outcome.failed is not is_allowed
    if not is_allowed:
        assert outcome.text == f"The user did not allow writing {path}. {why}"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text("old")
    await tools["edit"].call(json.dumps({"path": path, "old_string": "old", "new_string": "new"}))
    assert len(asked) == 2
    assert (folder / path).read_text() == ("new" if is_allowed else "old")


@pytest.mark.parametrize("path", ["a/" * 2000 + "b", "../" * 5000, "x" * 5000, "a/" * 300 + "../" * 300 + "b"])
@pytest.mark.parametrize("tool", ["read", "write", "edit"])
async def test_a_path_with_too_many_parts_is_refused(folder: Path, path: str, tool: str) -> None:
    arguments = {"write": {"content": "x"}, "edit": {"old_string": "a", "new_string": "b"}, "read": {}}[tool]
    outcome = await call(folder, tool, path=path, **arguments)
    assert outcome == ToolOutcome("A path has at most 4096 characters and 200 parts; write a shorter one.", True)
