"""The rule files of a git revision, written into a folder that lives as long as they are needed."""

from __future__ import annotations

import io
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ttsr_ls.rules.providers import PI_TTSR, PROVIDERS
from ttsr_ls.store.git_program import commit_of, run_git
from ttsr_ls.syntax.settings_locations import PROJECT_SETTINGS


@contextmanager
def rules_of_revision(cwd: Path, revision: str) -> Iterator[Path]:
    """A folder with the rules and settings that `cwd` had in a revision. Raises GitError."""
    commit = commit_of(cwd, revision)
    output = run_git(cwd, "ls-tree", "-r", "--name-only", "-z", commit)
    names = output.decode("utf-8", "surrogateescape").split("\0")
    wanted_names = [name for name in names if name and _is_wanted(name)]
    with tempfile.TemporaryDirectory(prefix="ttsr-replay-") as created:
        folder = Path(created)
        # A repository of its own, so that nothing above it counts.
        (folder / ".git").mkdir()
        if wanted_names:
            archive = run_git(cwd, "archive", "--format=tar", commit, "--", *wanted_names)
            with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
                tar.extractall(folder, filter="data")
        yield folder


def _is_wanted(name: str) -> bool:
    parts = Path(name).parts
    rules = [location.folders for provider in (*PROVIDERS, PI_TTSR) for location in provider.project]
    settings = [(*location.folders, location.name) for location in PROJECT_SETTINGS]
    return any(folders and parts[: len(folders)] == folders for folders in rules) or parts in settings
