"""The editor plugins start where rules are: their lists of files are those of the table of rule locations."""

from __future__ import annotations

import json
import re

from tests.editors.probed import ROOT
from tests.rule_locations import OF_DIALECTS
from ttsr_ls.rule_tests.case_file_names import SUFFIXES as CASE_FILE_SUFFIXES
from ttsr_ls.syntax.dialects.locations import COPILOT_INSTRUCTIONS, RULE_SUFFIXES
from ttsr_ls.syntax.settings_locations import SETTINGS_LOCATIONS

EDITORS = ROOT / "editors"
# Editors know this suffix as that of Markdown.
OTHER_SUFFIXES = [suffix for suffix in RULE_SUFFIXES if suffix != ".md"]


def test_vscode_starts_the_extension_where_there_are_rules() -> None:
    events = json.loads((EDITORS / "vscode" / "package.json").read_text(encoding="utf-8"))["activationEvents"]
    globs = [glob for location in OF_DIALECTS for glob in location.globs]
    # VS Code looks for a path in the workspace folder itself without a search, which it gives up after seven seconds. A
    # folder that also holds other files is only searched.
    folders = ["/".join(location.folders) for location in OF_DIALECTS if all(name[0] == "*" for name in location.names)]
    paths = [*globs, "**/ttsr-ls.toml", *folders, "ttsr-ls.toml"]
    rules = [f"workspaceContains:{path}" for path in paths]
    assert events == ["onLanguage:markdown", "onFileSystem:ttsr-docs", *rules]


def test_vscode_sends_the_server_files_of_every_suffix() -> None:
    selector = (EDITORS / "vscode" / "src" / "server.ts").read_text(encoding="utf-8")
    of_tests = f"**/*.test.{{{','.join(suffix.rpartition('.')[2] for suffix in CASE_FILE_SUFFIXES)}}}"
    configuration = "**/{ttsr-ls,pyproject}.toml"
    expected = [*(f"**/*{suffix}" for suffix in OTHER_SUFFIXES), of_tests, configuration]
    patterns = re.findall(r"pattern: '(.*)'", selector)
    assert patterns[: len(expected)] == expected
    settings = [name for pattern in patterns[len(expected) :] for name in braces(pattern)]
    assert sorted(settings) == sorted(f"**/{location.path}" for location in SETTINGS_LOCATIONS)


def test_neovim_sends_the_server_the_settings_that_name_rules() -> None:
    plugin = (EDITORS / "neovim" / "plugin" / "ttsr.lua").read_text(encoding="utf-8")
    [listed] = re.findall(r"which name rules.*?pattern = \{(.*?)\}", plugin, re.DOTALL)
    assert re.findall(r"'\*/(.*?)'", listed) == [location.path for location in SETTINGS_LOCATIONS]


def braces(pattern: str) -> list[str]:
    """The globs that a pattern with braces stands for."""
    match = re.search(r"\{(.*?)\}", pattern)
    if match is None:
        return [pattern]
    return [
        glob
        for name in match[1].split(",")
        for glob in braces(f"{pattern[: match.start()]}{name}{pattern[match.end() :]}")
    ]


def test_neovim_takes_files_of_every_suffix_for_markdown() -> None:
    plugin = (EDITORS / "neovim" / "plugin" / "ttsr.lua").read_text(encoding="utf-8")
    known = re.findall(r"(\w+) = 'markdown'", plugin)
    assert [f".{suffix}" for suffix in known] == OTHER_SUFFIXES


def test_neovim_works_in_the_folder_in_which_rules_are() -> None:
    configuration = (EDITORS / "neovim" / "lsp" / "ttsr_ls.lua").read_text(encoding="utf-8")
    [markers] = re.findall(r"local markers = \{(.*?)\}", configuration, re.DOTALL)
    # `.github` is in the root of a repository, which `.git` marks.
    folders = dict.fromkeys(location.folders[0] for location in OF_DIALECTS if location is not COPILOT_INSTRUCTIONS)
    assert re.findall(r"'(.*?)'", markers) == [*folders, ".git"]


def test_neovim_starts_the_server_for_other_files_where_there_are_rules() -> None:
    plugin = (EDITORS / "neovim" / "lua" / "ttsr" / "rule_folders.lua").read_text(encoding="utf-8")
    [listed] = re.findall(r"local rule_files = \{(.*?)\}", plugin, re.DOTALL)
    globs = [glob.removeprefix("**/") for location in OF_DIALECTS for glob in location.globs]
    assert re.findall(r"'(.*?)'", listed) == globs
