"""URIs of the files of runs, with the folders as the client names them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from ttsr_ls.file_uri import file_uri
from ttsr_ls.lsp.runs.resolved_paths import resolved_path


def workspace_uri(folders: Iterable[str], path: str) -> str:
    """The URI of a resolved path; by the link, if a workspace folder is reached through one.

    A client shows another path to the same file as a file outside of its workspace.
    """
    folders = tuple(folders)
    if not any(PurePath(path).is_relative_to(folder) for folder in folders):
        for folder in folders:
            target = resolved_path(folder)
            if PurePath(path).is_relative_to(target):
                return file_uri(str(PurePath(folder, PurePath(path).relative_to(target))))
    return file_uri(path)
