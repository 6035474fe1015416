"""Reasons why a rule is not loaded, for each kind of file with its name, and without such a file."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.why.gates import Gate
from ttsr_ls.ide.why.missing_rule import MissedFile, walk_misplaced, walk_missing, walk_of_unseen_file
from ttsr_ls.lint.context import IgnoringLine
from ttsr_ls.rules.providers import CURSOR, Level, UnseenReason
from ttsr_ls.rules.settings.layers import SettingsLayer, SettingsLayers
from ttsr_ls.syntax.settings_file import read_settings
from ttsr_ls.syntax.settings_locations import SettingsFormat

FOLDER = "/w/p"
CONFIG = read_settings("disabledProviders: [cursor]\n", "/w/p/.omp/config.yml", SettingsFormat.YAML)
LAYERS = SettingsLayers((SettingsLayer(CONFIG, Level.PROJECT),))


@pytest.mark.parametrize(
    ("reason", "line", "text"),
    [
        (
            UnseenReason.IGNORED,
            IgnoringLine("/w/p/.gitignore", 3, "*.mdc"),
            "`*.mdc` in `.gitignore`, line 3, makes git ignore it, and oh-my-pi does not load ignored files.",
        ),
        (
            UnseenReason.PROVIDER_OFF,
            None,
            "The setting `disabledProviders` has `cursor`, in `.omp/config.yml`, line 1.",
        ),
        (
            UnseenReason.NOT_OPTED_IN,
            None,
            "Rules of Cursor in the home folder are only read when `enabledProviders` has `cursor`.",
        ),
    ],
)
def test_reasons_why_a_file_is_not_seen(reason: UnseenReason, line: IgnoringLine | None, text: str) -> None:
    file = MissedFile("a", "/w/p/.cursor/rules/a.mdc", CURSOR, reason, line, FOLDER)
    (step,) = walk_of_unseen_file(file, LAYERS).steps
    assert step.gate is Gate.FOUND
    assert step.text == f"`.cursor/rules/a.mdc` exists, but it is not loaded. {text}"
    assert step.fix


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/w/p/.omp/rules/deep/a.md", "Only files directly in `.omp/rules` are read"),
        ("/w/p/.claude/rules/a.md", "oh-my-pi does not read `.claude/rules`"),
        ("/w/.omp/rules/a.md", "oh-my-pi reads `.omp/rules` only of the folder that it runs in"),
        ("/w/elsewhere/a.md", "It is in no folder from which rules are read here."),
        ("/w/.pi/rules/a.md", "pi-ttsr reads `.pi/rules` only of the folder that it runs in, and of the home folder."),
        ("/w/p/.pi/rules/a.mdc", "pi-ttsr reads `*.md` files only, and case counts."),
    ],
)
def test_reasons_why_a_file_is_misplaced(path: str, text: str) -> None:
    (step,) = walk_misplaced("a", path, FOLDER).steps
    assert text in step.text
    assert step.fix


def test_advice_for_rules_of_a_parent_folder() -> None:
    fix = walk_misplaced("a", "/w/.omp/rules/a.md", FOLDER).steps[0].fix
    assert fix == "Start it in `/w`, or move the file to `/w/.agents/rules`, which is read from below, too."


@pytest.mark.parametrize(
    ("name", "text", "fix"),
    [
        ("no-pritn", "There is no rule `no-pritn` here.", "Did you mean `no-print`?"),
        ("zzz", "There is no rule `zzz` here.", "`ttsr-ls list --all` shows all rules."),
    ],
)
def test_reasons_why_a_rule_has_no_file(name: str, text: str, fix: str) -> None:
    (step,) = walk_missing(name, ["no-print", "no-log"]).steps
    assert (step.text, step.fix) == (text, fix)
