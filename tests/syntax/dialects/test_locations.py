"""The paths that a rule location contains."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from tests.rule_locations import LOCATIONS, OF_DIALECTS, sample_paths
from ttsr_ls.rules.providers import PI_TTSR, PROVIDERS
from ttsr_ls.syntax.dialects.detection import dialect_of_path
from ttsr_ls.syntax.dialects.locations import (
    CLINE_FILE,
    CLINE_RULES,
    CURSOR_RULES,
    HOOKIFY_RULES,
    PROJECT_RULES,
    PROJECT_STICKY,
    RuleLocation,
)

EACH = pytest.mark.parametrize("location", LOCATIONS, ids=str)


@EACH
def test_a_location_contains_its_files_in_any_folder(location: RuleLocation) -> None:
    for path in sample_paths(location):
        assert location.contains(PurePath(path))
        assert location.contains(PurePath("/home/me/shop", path))
        assert not location.contains(PurePath(f"{path}~"))
        assert not location.folders or not location.contains(PurePath(f"x{path}"))


@EACH
def test_no_two_locations_contain_the_same_file(location: RuleLocation) -> None:
    for path in sample_paths(location):
        assert [str(other) for other in LOCATIONS if other.contains(PurePath(path))] == [str(location)]


@pytest.mark.parametrize("location", OF_DIALECTS, ids=str)
def test_the_dialect_of_a_path_has_its_location(location: RuleLocation) -> None:
    for path in sample_paths(location):
        dialect = dialect_of_path(path)
        assert dialect is not None
        assert location in dialect.locations


def test_each_folder_of_a_provider_belongs_to_a_dialect() -> None:
    locations = {location for provider in (*PROVIDERS, PI_TTSR) for location in (*provider.project, *provider.user)}
    assert all(location in OF_DIALECTS for location in locations if location.has_many_files)


@pytest.mark.parametrize(
    ("location", "path"),
    [
        (PROJECT_RULES, ".omp/rules/deep/a.md"),
        (PROJECT_RULES, ".omp/rules/a.MD"),
        (PROJECT_STICKY, ".omp/MY-RULES.md"),
        (CURSOR_RULES, ".cursor/a.mdc"),
        (HOOKIFY_RULES, ".claude/hookify.local.md"),
        (HOOKIFY_RULES, ".claude/hooks/hookify.a.local.md"),
        (CLINE_RULES, ".clinerules"),
        (CLINE_FILE, ".clinerules/a.md"),
    ],
)
def test_similar_paths_are_not_in_a_location(location: RuleLocation, path: str) -> None:
    assert not location.contains(PurePath(path))


def test_locations_are_shown_as_globs() -> None:
    assert str(CURSOR_RULES) == ".cursor/rules/**/*.mdc"
    assert str(HOOKIFY_RULES) == ".claude/hookify.*.local.md"
    assert CURSOR_RULES.globs == ("**/.cursor/rules/**/*.mdc", "**/.cursor/rules/**/*.md")
    assert (PROJECT_RULES.path, PROJECT_RULES.suffixes, HOOKIFY_RULES.prefix) == (
        ".omp/rules",
        (".md", ".mdc"),
        "hookify.",
    )
