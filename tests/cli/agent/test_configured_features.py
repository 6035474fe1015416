"""Loading the features that a project's configuration names."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttsr_ls.cli.agent.configured_features import configured_features
from ttsr_ls.features.tasks.feature import TaskFeature
from ttsr_ls.lint.config.config import ConfigError


def test_without_a_configuration_no_features_are_loaded(project: Path) -> None:
    assert configured_features(project) == ()


def test_configured_features_are_loaded_and_unknown_ones_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "src").mkdir()
    (project / "pyproject.toml").write_text('[tool.ttsr-ls]\nfeatures = ["no\\u001bne", "tasks"]\n')
    (feature,) = configured_features(project / "src")
    assert isinstance(feature, TaskFeature)
    assert capsys.readouterr().err == "ttsr-ls: Feature no\\x1bne is not installed; there are: tasks.\n"


def test_own_features_come_first_and_are_loaded_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "ttsr-ls.toml").write_text('features = ["tasks"]\n')
    (feature,) = configured_features(project, own_names=["tasks"])
    assert isinstance(feature, TaskFeature)
    assert configured_features(project, taken_names=["TaskGet"]) == ()
    assert "there is a tool TaskGet already" in capsys.readouterr().err


def test_a_wrong_configuration_is_an_error(project: Path) -> None:
    (project / "ttsr-ls.toml").write_text('features = "tasks"\n')
    with pytest.raises(ConfigError, match="write a list of names of features"):
        configured_features(project)
