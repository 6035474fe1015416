"""The server has editors watch every file that has a say in what a check finds."""

from __future__ import annotations

import pytest

from tests.lsp.talk import Talk
from tests.rule_locations import LOCATIONS, sample_paths
from ttsr_ls.globs.glob import Glob
from ttsr_ls.syntax.settings_locations import SETTINGS_LOCATIONS

RULES = [path for location in LOCATIONS for path in sample_paths(location)]
OTHERS = [*(settings.path for settings in SETTINGS_LOCATIONS), ".gitignore", ".ignore", "ttsr-ls.toml"]


async def watched_globs(talk: Talk) -> list[Glob]:
    await talk.pull(talk.uri("a.md"))  # What the server sent before it answered has come by then.
    assert talk.watched
    return [Glob(glob) for glob in talk.watched]


@pytest.mark.parametrize("folder_name", ["", "packages/web/"])
async def test_files_that_affect_rules_are_watched(vscode: Talk, folder_name: str) -> None:
    globs = await watched_globs(vscode)
    paths = [f"{folder_name}{path}" for path in (*RULES, *OTHERS, "plugins/a/rules/b.mdc")]
    assert [path for path in paths if not any(glob.matches(path) for glob in globs)] == []


async def test_other_files_are_not(vscode: Talk) -> None:
    globs = await watched_globs(vscode)
    other_names = [
        "README.md",
        "docs/a.md",
        "src/main.py",
        ".claude/notes.md",
        ".omp/logs/a.md",
        ".github/workflows/ci.yml",
    ]
    assert [path for path in other_names if any(glob.matches(path) for glob in globs)] == []
