"""The features that the project's configuration names, for the commands that run a session."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ttsr_ls.cli.printing.output import write_error
from ttsr_ls.features.loading import load_features
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.store.settings.config_file import ConfigFinder


def configured_features(
    folder: Path, *, own_names: Iterable[str] = (), taken_names: Iterable[str] = ()
) -> tuple[Feature, ...]:
    """Loads the features `own_names`, then those that the configuration of `folder` names. Each call makes new ones.

    Prints why a feature cannot be loaded. `taken_names` are the names of the tools that the model has without them.
    Raises `ConfigError` for a wrong configuration.
    """
    features = load_features((*own_names, *ConfigFinder().config_for(folder).config.features), taken_names=taken_names)
    for problem in features.problems:
        write_error(problem.message)
    return features.features
