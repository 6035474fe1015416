"""Folders are listed, and ignored files are marked, as by the reference agent, within limits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.recorders.tree_files import make_files
from tests.store.discovery.discovery_vectors import recorded_listings
from ttsr_ls.store.discovery.limits import DISCOVERY_LIMITS, DiscoveryLimits
from ttsr_ls.store.gitignore.ignore_file import IgnoredBy
from ttsr_ls.store.gitignore.ignores import ignores_of
from ttsr_ls.store.gitignore.users import users_ignore_file
from ttsr_ls.store.listing import list_folder, list_tree

CASES = recorded_listings()
HANDWRITTEN = CASES[:150]
NO_ENVIRONMENT: dict[str, str] = {}


def listed(root: Path, case: dict[str, Any]) -> list[str]:
    make_files(root, case["files"])
    folder = root / case["folder"]
    ignores = ignores_of(folder, None)
    listing = (
        list_tree(folder, (".md",), ignores) if case["recursive"] else list_folder(folder, (".md", ".mdc"), ignores)
    )
    return [file.path.relative_to(folder).as_posix() for file in listing.files if file.ignored_by is None]


def test_the_recorded_listings_cover_ignored_files() -> None:
    assert len(CASES) > 1000
    assert sum(len(case["listed"]) < 4 for case in CASES) > 500


def test_handwritten_folders_are_listed_as_by_the_agent(tmp_path: Path) -> None:
    for number, case in enumerate(HANDWRITTEN):
        assert listed(tmp_path / str(number), case) == case["listed"], case


def test_folders_with_random_ignore_files_are_listed_as_by_the_agent(tmp_path: Path) -> None:
    for number, case in enumerate(CASES[len(HANDWRITTEN) :]):
        assert listed(tmp_path / str(number), case) == case["listed"], case


def test_an_ignored_file_has_the_line_that_ignores_it(tmp_path: Path) -> None:
    make_files(tmp_path, {".git/": "", ".gitignore": "# drafts\n*.tmp.md\n", "rules/a.tmp.md": "x"})
    (file,) = list_folder(tmp_path / "rules", (".md",), ignores_of(tmp_path / "rules", None)).files
    assert file.ignored_by == IgnoredBy(tmp_path / ".gitignore", 2, "*.tmp.md")


def test_a_file_in_an_ignored_folder_has_the_line_that_ignores_the_folder(tmp_path: Path) -> None:
    make_files(tmp_path, {".git/": "", ".gitignore": "old/\n", "rules/old/a.md": "x"})
    (file,) = list_tree(tmp_path / "rules", (".md",), ignores_of(tmp_path / "rules", None)).files
    assert file.ignored_by == IgnoredBy(tmp_path / ".gitignore", 1, "old/")


@pytest.mark.parametrize(
    ("files", "environ"),
    [
        ({"home/.config/git/ignore": "a.md\n"}, {}),
        ({"xdg/git/ignore": "a.md\n", "home/.config/git/ignore": "b.md\n"}, {"XDG_CONFIG_HOME": "{root}/xdg"}),
        ({"home/.gitconfig": "[core]\n\texcludesfile = ~/mine\n", "home/mine": "a.md\n"}, {}),
        ({"home/.gitconfig": '[core]\n  excludesFile = "{root}/mine"\n', "mine": "a.md\n"}, {}),
        ({"home/.config/git/config": "[core]\nexcludesfile=~/mine\n", "home/mine": "a.md\n"}, {}),
        ({"home/.config/git/ignore": ".omp/rules/a.md\n"}, {}),
    ],
)
def test_the_user_s_ignore_file_applies(files: dict[str, str], environ: dict[str, str], tmp_path: Path) -> None:
    placed = {name: text.replace("{root}", str(tmp_path)) for name, text in files.items()}
    make_files(tmp_path, {"p/.git/": "", "p/.omp/rules/a.md": "x", "p/.omp/rules/b.md": "x", **placed})
    given = {name: value.replace("{root}", str(tmp_path)) for name, value in environ.items()}
    users = users_ignore_file(tmp_path / "p", tmp_path / "home", given)
    folder = tmp_path / "p/.omp/rules"
    found = list_folder(folder, (".md",), ignores_of(folder, users)).files
    assert [file.path.name for file in found if file.ignored_by is None] == ["b.md"]


@pytest.mark.parametrize(
    "settings", ["[core]\n\tpager = less\n", "[corexcludesfile = x", "excludesfile = ~/mine\n", "\0"]
)
def test_git_settings_without_an_excludes_file_ignore_nothing(settings: str, tmp_path: Path) -> None:
    make_files(tmp_path, {"home/.gitconfig": settings, "home/mine": "a.md\n"})
    assert users_ignore_file(tmp_path, tmp_path / "home", NO_ENVIRONMENT) is None


def test_links_to_files_broken_links_and_pipes_are_listed_without_links_to_folders(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("rule")
    (tmp_path / "linked.md").symlink_to(tmp_path / "real.txt")
    (tmp_path / "dangling.md").symlink_to(tmp_path / "gone")
    (tmp_path / "loop.md").symlink_to(tmp_path / "loop.md")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "up.md").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "to-pipe.md").symlink_to(tmp_path / "pipe.md")
    ignores = ignores_of(tmp_path, None)
    listed = ["dangling.md", "linked.md", "loop.md", "pipe.md", "to-pipe.md"]
    assert [file.path.name for file in list_folder(tmp_path, (".md",), ignores).files] == listed
    assert [file.path.name for file in list_tree(tmp_path, (".md",), ignores).files] == listed


def test_listing_stops_at_the_limit_of_entries(tmp_path: Path) -> None:
    limits = DiscoveryLimits(folder_entries=10)
    make_files(tmp_path, {f"{number % 3}/{number}.md": "x" for number in range(30)})
    ignores = ignores_of(tmp_path, None)
    tree = list_tree(tmp_path, (".md",), ignores, limits)
    assert len(tree.files) < 10
    assert not tree.is_complete
    folder = list_folder(tmp_path / "0", (".md",), ignores, limits)
    assert len(folder.files) == 10
    assert folder.is_complete
    assert not list_folder(tmp_path / "0", (".md",), ignores, DiscoveryLimits(folder_entries=9)).is_complete


def test_listing_stops_at_the_depth_limit(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * (DISCOVERY_LIMITS.folder_depth + 1))
    deep.mkdir(parents=True)
    (deep / "in.md").write_text("x")
    (deep.parent / "in.md").write_text("x")
    listing = list_tree(tmp_path, (".md",), ignores_of(tmp_path, None))
    assert [file.path for file in listing.files] == [deep.parent / "in.md"]
    assert not listing.is_complete


def test_hostile_ignore_patterns_are_matched_quickly(tmp_path: Path) -> None:
    patterns = ["*a" * 400 + "b", "{" * 600, "{a,b}" * 150 + "z", "**/" * 300 + "z", "[" * 900, "*" * 1000]
    make_files(tmp_path, {".git/": "", ".gitignore": "\n".join(patterns * 50), f"rules/{'a' * 200}.md": "x"})
    (file,) = list_folder(tmp_path / "rules", (".md",), ignores_of(tmp_path / "rules", None)).files
    assert file.ignored_by is None or file.ignored_by.pattern == "*" * 1000
