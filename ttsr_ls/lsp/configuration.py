"""The projects' configurations. An invalid one is ignored, and the user is notified."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from ttsr_ls.store.settings.config_file import ProjectConfig

logger = logging.getLogger(__name__)


class ReadConfigurations(Struct, frozen=True):
    """The rule folders of configurations, and the problems of configurations, in full sentences."""

    rule_folders: frozenset[str]
    mistakes: tuple[str, ...]


def configuration_of(folder: Path) -> ProjectConfig:
    """The configuration for the files in a folder; the default if it is invalid."""
    # Imported lazily: it takes long to import, and the answer to `initialize` must not wait for it.
    from ttsr_ls.lint.config.config import ConfigError
    from ttsr_ls.store.settings.config_file import ConfigFinder, no_config

    try:
        return ConfigFinder().config_for(folder)
    except ConfigError as error:
        logger.warning("%s", error)
        return no_config()


def read_configurations(folders: tuple[str, ...]) -> ReadConfigurations:
    """Reads the configurations of these workspace folders."""
    from ttsr_ls.lint.config.config import ConfigError
    from ttsr_ls.store.settings.config_file import ConfigFinder

    finder = ConfigFinder()
    rule_folders: set[str] = set()
    mistakes: list[str] = []
    for folder in folders:
        try:
            config = finder.config_for(Path(folder))
            rule_folders.update(str(path) for path in config.rule_folders)
            mistakes += config.missing_folders
        except ConfigError as error:
            mistakes.append(f"The configuration of ttsr-ls is ignored: {error}")
        except (OSError, ValueError) as error:
            logger.warning("the configuration of the workspace folder %s is not read: %s", folder, error)
    return ReadConfigurations(frozenset(rule_folders), tuple(dict.fromkeys(mistakes)))
