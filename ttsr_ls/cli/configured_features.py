"""The features that the project's configuration names, for the commands that run a session."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

from ttsr_ls.bridge.features.loading import load_features
from ttsr_ls.bridge.hooks.contract import Feature
from ttsr_ls.cli.terminal import one_line
from ttsr_ls.store.config_file import ConfigFinder


def configured_features(folder: Path, *, besides: Collection[str] = ()) -> tuple[Feature, ...]:
    """The features of the project in a folder, new ones at each call, but those that are there anyway.

    Prints why one was left out. Raises `ConfigError` for a wrong configuration.
    """
    named = ConfigFinder().config_for(folder).config.features
    loaded = load_features(name for name in named if name not in besides)
    for problem in loaded.problems:
        print(f"ttsr-ls: {one_line(problem.message)}", file=sys.stderr)
    return loaded.features
