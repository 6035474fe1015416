"""Distributes and orders the tests for the processes of `pytest -n`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

from tests.deferred_collection import is_deferred, leave_out, stands_for_tests

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

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        self._started: dict[str, list[str]] = {}
        """The tests of each file that were started."""
        self._left_out: set[str] = set()
        self._finished = 0
        self._items_done = 0

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._started.setdefault(nodeid.partition("::")[0], []).append(nodeid)

    def pytest_runtest_logfinish(self) -> None:
        self._finished += 1

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        super().mark_test_complete(node, item_index, duration)
        self._items_done += 1
        if is_deferred(self.config):
            # How many tests there are is known at the end; until then, the progress that pytest shows is that of files.
            number = self._finished * len(self.collection) // self._items_done
            self.config.pluginmanager.getplugin("session").testscollected = max(1, number)

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
        started = self._started.pop(crashed.partition("::")[0], []) if crashed and stands_for_tests(crashed) else []
        if started:
            # Another process runs the rest of the file.
            self._left_out.update(started)
            leave_out(self.config, self._left_out)
        for unit in units.values():
            if crashed in unit and not started:
                unit[crashed] = True
        for scope in [scope for scope, unit in units.items() if all(unit.values())]:
            del units[scope]
        super().remove_node(node)
        return started[-1] if started else crashed


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


def scheduler(config: pytest.Config, log: Any) -> FileScheduling | None:
    """The scheduler for `--dist loadfile`; None for any other choice, which stays xdist's."""
    if config.getvalue("dist") != "loadfile":
        return None
    made = FileScheduling(config, log)
    config.pluginmanager.register(made)
    return made
