"""The contexts of file checks, for one state of the disk. The command and the language server both use them."""

from __future__ import annotations

import os
from pathlib import Path

from ttsr_ls.lint.context import LintContext
from ttsr_ls.store.discovery.lint_environment import LintEnvironment, lint_environment
from ttsr_ls.store.settings.config_file import ConfigFinder, ProjectConfig


class LintContexts:
    """Reads each folder once, so that all checks see one state of the disk. Not thread-safe."""

    def __init__(self, config: ProjectConfig | None = None) -> None:
        """`config` is used for all files; without one, the nearest one upwards from each file is used."""
        self._config = config
        self._finder = ConfigFinder()
        self._environments: dict[Path, LintEnvironment] = {}

    @property
    def configs(self) -> tuple[ProjectConfig, ...]:
        """The configurations that were used so far."""
        return self._finder.found if self._config is None else (self._config,)

    def config_for(self, folder: Path) -> ProjectConfig:
        """Returns the configuration of the files in a folder. Raises `ConfigError`."""
        return self._finder.config_for(folder) if self._config is None else self._config

    def context(self, path: Path) -> LintContext:
        """Returns the context for checking the file at `path`. Raises `ConfigError`."""
        return self.with_config(self.without_config(path), path)

    def without_config(self, path: Path) -> LintContext:
        """Returns the context for checking the file at `path`, without the settings of its configuration."""
        folder = path.parent
        if folder not in self._environments:
            self._environments[folder] = lint_environment(folder)
        return self._environments[folder].context(path)

    def with_config(self, context: LintContext, path: Path) -> LintContext:
        """Returns a context with the configuration of the file at `path`. Raises `ConfigError`."""
        return self.config_for(path.parent).applied_to(context, path)

    def holds_rules(self, folder: Path) -> bool:
        """Returns whether the configuration lists a folder in `rule-folders`. Raises `ConfigError`."""
        config = self.config_for(folder)
        return bool(config.rule_folders) and Path(os.path.normpath(folder.absolute())) in config.rule_folders
