"""The files of a rule that a document mentions. Runs in a thread, because it reads the disk."""

from __future__ import annotations

from pathlib import Path, PurePath

from msgspec import Struct

from ttsr_ls.ide.rule_names.config_globs import ConfigGlob
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.rule_locations import rule_locations
from ttsr_ls.store.case_file_paths import case_file_of


class RuleFiles(Struct, frozen=True):
    """The rule files with one name that one agent may read; the first shadows the others.

    `root` is the folder of an agent that reads the mentioning file; `folder` is the workspace folder.
    """

    name: str
    folder: str
    root: str
    paths: tuple[str, ...]

    @property
    def tests(self) -> tuple[str, ...]:
        """The test files beside the rule files."""
        paths = (case_file_of(Path(path)) for path in self.paths)
        return tuple(dict.fromkeys(str(path) for path in paths if path is not None))


def files_of_rule(name: str, named_in: str, workspace: Workspace) -> RuleFiles | None:
    """The rules to which a name in the file `named_in` refers, those in its own folder first.

    None for a file outside of the workspace folders. Rules of unrelated folders, such as two packages of a repository,
    are different rules with the same name.
    """
    folder = workspace.folder_around(named_in)
    if folder is None:
        return None
    root = project_root(named_in, folder)
    paths = [
        path
        for known_name, path in rule_locations(workspace)
        if known_name == name
        and workspace.folder_around(path) == folder
        and are_related(project_root(path, folder), root)
    ]
    pure_path = PurePath(named_in).parent
    return RuleFiles(
        name, folder, root, tuple(sorted(paths, key=lambda path: (PurePath(path).parent != pure_path, path)))
    )


def rules_matching(glob: ConfigGlob, config: str, workspace: Workspace) -> tuple[str, ...]:
    """The rule files, and test files, that a glob in the configuration at `config` matches."""
    base = PurePath(config).parent
    found = []
    for _, path in rule_locations(workspace):
        file_path = case_file_of(Path(path))
        for item in (path, *(() if file_path is None else (str(file_path),))):
            if PurePath(item).is_relative_to(base) and glob.matches(PurePath(item).relative_to(base).as_posix()):
                found.append(item)
    return tuple(found)


def project_root(path: str, folder: str) -> str:
    """The folder of an agent that reads a file: the one that contains the agent's own folder, such as `.omp`."""
    inside = PurePath(path).relative_to(folder).parts[:-1]
    hidden = next((number for number, name in enumerate(inside) if name.startswith(".")), None)
    if hidden is not None:
        return str(PurePath(folder, *inside[:hidden]))
    # Files outside of an agent's folder, such as those of packages, belong to their own folder.
    return str(PurePath(folder, *inside[:-1])) if inside[-1:] == ("rules",) else str(PurePath(folder, *inside))


def are_related(first: str, second: str) -> bool:
    """Returns whether an agent in one of two folders reads the files of the other."""
    return PurePath(first).is_relative_to(second) or PurePath(second).is_relative_to(first)
