"""Rule files are found in the locations of the reference agent, in its order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ttsr_ls.rules.settings.layers import SettingsLayers
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.discovery import discover, rules_in
from ttsr_ls.store.files.bounded_file import MAX_RULE_BYTES, RuleUnreadableError, read_file
from ttsr_ls.store.providers.discovered_rule import DiscoveredRule
from ttsr_ls.store.settings.settings_files import read_layers

NO_SETTINGS = SettingsLayers(())


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The layout for which `omp ttsr list` (18.2.3) was recorded; the expected orders below are its answers."""
    for name in (
        "w/a/b/.omp/rules/n1.md",
        "w/a/b/.omp/rules/n1.mdc",
        "w/a/b/.omp/rules/Zed.md",
        "w/a/b/.omp/rules/abc.mdc",
        "w/a/b/.omp/rules/.hidden.md",
        "w/a/b/.omp/rules/LOUD.MD",
        "w/a/b/.omp/rules/deeper/in.md",
        "w/a/b/.omp/rules/notes.txt",
        "w/a/b/.agents/rules/b-agents.md",
        "w/a/b/.agent/rules/b-agent.md",
        "w/a/.agents/rules/a-agents.md",
        "w/a/.omp/rules/not-here.md",
        "w/.agents/rules/w-agents.md",
        "h/.agents/rules/h-agents.md",
        "h/.agent/rules/h-agent.md",
        "h/.omp/agent/rules/h-native.md",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("rule")
    return tmp_path


NATIVE = ["Zed", "abc", "n1", "n1", "h-native"]


def found(tree: Path, cwd: str, home: str = "h", extra: tuple[Path, ...] = ()) -> tuple[DiscoveredRule, ...]:
    return discover(AgentEnvironment(tree / cwd, tree / home), NO_SETTINGS, extra).rules


def names(tree: Path, cwd: str, home: str = "h") -> list[str]:
    return [rule.name for rule in found(tree, cwd, home)]


def test_discovery_stops_at_the_root_of_the_repository(tree: Path) -> None:
    (tree / "w/a/.git").mkdir()
    assert names(tree, "w/a/b") == [*NATIVE, "b-agent", "b-agents", "a-agents", "h-agent", "h-agents"]


def test_discovery_without_a_repository_searches_all_parent_folders(tree: Path) -> None:
    assert names(tree, "w/a/b") == [*NATIVE, "b-agent", "b-agents", "a-agents", "w-agents", "h-agent", "h-agents"]


def test_the_home_folder_is_searched_once_as_the_user_s(tree: Path) -> None:
    assert names(tree, "w/a/b", home="w/a") == [*NATIVE[:-1], "b-agent", "b-agents", "a-agents"]


def test_rules_of_extra_folders_come_first(tree: Path) -> None:
    first = found(tree, "w", extra=(tree / "w/a/.omp/rules",))[0]
    assert (first.name, first.provider) == ("not-here", "extra")


def test_a_folder_that_is_both_extra_and_native_is_listed_once(tree: Path) -> None:
    folder = tree / "w/a/b/.omp/rules"
    rules = found(tree, "w/a/b", extra=(folder,))
    assert [rule.provider for rule in rules[:5]] == ["extra"] * 4 + ["native"]
    assert [rule.path.parent for rule in rules].count(folder) == 4


def test_a_missing_folder_has_no_rules(tmp_path: Path) -> None:
    assert rules_in(tmp_path / "no", "extra") == ()


def test_links_to_rules_broken_links_and_pipes_are_found(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("rule")
    (tmp_path / "linked.md").symlink_to(tmp_path / "real.txt")
    (tmp_path / "dangling.md").symlink_to(tmp_path / "gone")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "folders.md").symlink_to(tmp_path / "folder.md")
    os.mkfifo(tmp_path / "pipe.md")
    assert [rule.name for rule in rules_in(tmp_path, "native")] == ["dangling", "linked", "pipe"]


def test_a_rule_file_is_read_up_to_the_size_limit(tmp_path: Path) -> None:
    path = tmp_path / "big.md"
    path.write_bytes(b"x" * MAX_RULE_BYTES)
    assert len(read_file(path)) == MAX_RULE_BYTES
    path.write_bytes(b"x" * (MAX_RULE_BYTES + 1))
    with pytest.raises(RuleUnreadableError, match="larger than 1024 KiB"):
        read_file(path)


def test_a_pipe_in_place_of_a_rule_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(RuleUnreadableError, match="not a file"):
        read_file(tmp_path / "pipe.md")


def test_a_folder_in_place_of_a_rule_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuleUnreadableError):
        read_file(tmp_path)


@pytest.mark.parametrize(
    ("file", "counts"),
    [(".omp/settings.json", True), (".claude/settings.json", False), (".gemini/settings.json", False)],
)
def test_extensions_are_read_only_from_settings_of_the_agent_itself(tmp_path: Path, file: str, counts: bool) -> None:
    """As `omp ttsr list` (18.2.3) answered for each of these files alone."""
    for name, text in ((file, f'{{"extensions": ["{tmp_path}/ext"]}}'), ("ext/rules/a.md", "x")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    place = AgentEnvironment(tmp_path, tmp_path / "home")
    assert bool(discover(place, read_layers(place)).rules) == counts
