"""Distributes and orders the tests for the processes of `pytest -n`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

_VSCODE = "tests/editors/test_vscode"
"""The files with these first characters are one unit: they share a VS Code, which takes long to start."""
_FIRST = (_VSCODE, "tests/agents/", "tests/editors/", "tests/matching/", "tests/esregex/")
"""What takes longest or waits most begins first, so that no process is left alone with it at the end."""
_LATE = "tests/examples/test_types.py"
"""Runs mypy, which takes a tenth of its time with the cache that `make lint`, beside the tests, has written by then."""
_LAST = ("tests/session/", "tests/store/", "tests/syntax/", "tests/tidy/")
"""Short files. They follow `_LATE`, else one process is left alone with it at the end."""
_FEW = 2
"""A process with so many tests gets another file."""


class FileScheduling(LoadFileScheduling):  # type: ignore[misc]
    """The tests of a file go to one process, as with `--dist loadfile`; those of VS Code as well."""

    def _split_scope(self, nodeid: str) -> str:
        return _VSCODE if nodeid.startswith(_VSCODE) else str(super()._split_scope(nodeid))

    def schedule(self) -> None:
        """As xdist does, but a process that replaces another one gets enough: it runs a test once it has the next."""
        super().schedule()
        for node in self.nodes:
            while self._pending_of(self.assigned_work[node]) <= _FEW and not node.shutting_down:
                self._reschedule(node)

    def _assign_work_unit(self, node: Any) -> None:
        # The process may just have ended. Then `remove_node` follows, and the file is another one's.
        with suppress(OSError):
            super()._assign_work_unit(node)

    def remove_node(self, node: Any) -> str | None:
        """As xdist does, but the test that ended its process is not run again, where it would end the next one.

        Neither are files whose tests are over: a process that gets such a file waits for tests for ever.
        """
        units = self.assigned_work[node]
        crashed = next((test for unit in units.values() for test, is_done in unit.items() if not is_done), None)
        for unit in units.values():
            if crashed in unit:
                unit[crashed] = True
        for scope in [scope for scope, unit in units.items() if all(unit.values())]:
            del units[scope]
        super().remove_node(node)
        return crashed


def longest_first(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The tests in the order in which they are to run, whatever was collected first; the order within a file stays."""

    def rank(item: pytest.Item) -> tuple[int, str]:
        file = item.nodeid.partition("::")[0]
        if file.startswith(_LATE):
            return len(_FIRST) + 1, file
        if file.startswith(_LAST):
            return len(_FIRST) + 2, file
        return next((at for at, prefix in enumerate(_FIRST) if file.startswith(prefix)), len(_FIRST)), file

    return sorted(items, key=rank)


def collected_first(config: pytest.Config) -> list[str]:
    """The arguments of pytest. If they are all tests, each process of `-n` begins with other folders.

    The first process that collects a file rewrites its assertions, which takes as long as all the rest, and keeps them
    for the others. Processes that begin with the same file do so at the same time.
    """
    worker = getattr(config, "workerinput", None)
    if worker is None or config.args != ["tests"]:
        return config.args
    paths = sorted((config.rootpath / "tests").glob("*"))
    sizes = {f"tests/{path.name}": size for path in paths if (size := _number_of_files(path))}
    return rotated(sizes, int(worker["workerid"].removeprefix("gw")), worker["workercount"])


def _number_of_files(path: Path) -> int:
    return len(list(path.rglob("test_*.py"))) if path.is_dir() else path.match("test_*.py")


def rotated(sizes: Mapping[str, int], position: int, count: int) -> list[str]:
    """The names, beginning where the part of the process at `position` of `count` begins, by their sizes."""
    names, total = list(sizes), sum(sizes.values())
    before = [0, *accumulate(sizes.values())][:-1]
    start = max(at for at, passed in enumerate(before) if passed * count <= total * (position % count))
    return names[start:] + names[:start]


def scheduler(config: pytest.Config, log: Any) -> FileScheduling | None:
    """The scheduler for `--dist loadfile`; None for any other choice, which stays xdist's."""
    return FileScheduling(config, log) if config.getvalue("dist") == "loadfile" else None
