"""Lets each process of `pytest -n` collect only the files that it runs, since the import of all tests takes long.

With `--dist loadfile`, a process announces three items for each file in place of its tests. The first one collects the
file and runs its tests; they are reported under their own names. The other two make xdist's scheduler, which gives a
process work once it has at most two items, choose the next file when the tests of the file are over.
"""

from __future__ import annotations

import gc
import json
import shutil
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

TESTS = "tests"
"""The name of the item that stands for the tests of a file."""
_ENDS = ("end", "end of all")
_STARTED = "started_tests"
_STARTED_FILE = pytest.StashKey[Path]()
_SELECTIONS = ("keyword", "markexpr", "lf", "failedfirst", "stepwise")
"""Options of pytest that choose among all tests, so that all are collected first."""


class _UncollectedFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield FileTests.from_parent(self, name=TESTS)
        for name in _ENDS:
            yield FileEnd.from_parent(self, name=name)


class _Placeholder(pytest.Item):
    def run(self, nextitem: pytest.Item | None) -> None:
        """Does what `pytest_runtest_protocol` does for a test."""
        raise NotImplementedError

    def runtest(self) -> None:
        """Is never called, because it does not know the next item."""
        raise NotImplementedError


class FileTests(_Placeholder):
    """Stands for the tests of a file."""

    def run(self, nextitem: pytest.Item | None) -> None:
        """Collects and runs the tests that no process has started."""
        session, started = self.session, self._started()
        tests = [test for test in self._collected() if test.nodeid not in started]
        position, number = session.items.index(self), len(session.items)
        # Fixtures look there for the tests of their file.
        session.items.extend(tests)
        for test, following in pairwise([*tests, nextitem]):
            assert test is not None
            # The process reports the results of its current item only.
            session.items[position] = test
            self.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            if session.shouldfail or session.shouldstop:
                break
        session.items[position] = self
        del session.items[number:]

    def _collected(self) -> list[pytest.Item]:
        gc.collect()
        gc.disable()
        try:
            assert self.parent is not None
            module = pytest.Module.from_parent(self.parent.parent, path=self.path)
            tests = list(self.session.genitems(module))
            self.config.hook.pytest_collection_modifyitems(session=self.session, config=self.config, items=tests)
            return tests
        finally:
            gc.freeze()
            gc.enable()

    def _started(self) -> set[str]:
        try:
            text = Path(self.config.workerinput[_STARTED]).read_text()  # type: ignore[attr-defined]
        except FileNotFoundError:
            return set()
        return set(json.loads(text))


class FileEnd(_Placeholder):
    """Follows the tests of a file: ends the fixtures that the next file does not share."""

    def run(self, nextitem: pytest.Item | None) -> None:
        """Ends the fixtures, and reports what they raise."""
        setup = self.session._setupstate
        call = pytest.CallInfo.from_call(lambda: setup.teardown_exact(nextitem), when="teardown")
        if call.excinfo is not None:
            report = pytest.TestReport.from_item_and_call(self, call)
            self.config.hook.pytest_runtest_logreport(report=report)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.File | None:
    if _STARTED in getattr(parent.config, "workerinput", ()):
        return _UncollectedFile.from_parent(parent, path=module_path)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if not isinstance(item, _Placeholder):
        return None
    item.run(nextitem)
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tells a process that it is to defer collection, and where it finds the tests that ended other processes."""
    if is_deferred(node.config):
        node.workerinput[_STARTED] = str(_started_file(node.config))


def is_deferred(config: pytest.Config) -> bool:
    """Whether the processes of this run collect files when they run them."""
    options = config.option
    names_a_test = any("::" in argument for argument in config.args)
    is_selection = any(getattr(options, each, None) for each in _SELECTIONS)
    return options.dist == "loadfile" and not names_a_test and not is_selection


def stands_for_tests(item: str) -> bool:
    """Whether an item, by its id, stands for the tests of a file."""
    return item.endswith(f"::{TESTS}")


def leave_out(config: pytest.Config, tests: set[str]) -> None:
    """Has the processes leave out tests of files that they get from now on."""
    new = _started_file(config).with_suffix(".new")
    new.write_text(json.dumps(sorted(tests)))
    new.replace(_started_file(config))


def _started_file(config: pytest.Config) -> Path:
    if _STARTED_FILE not in config.stash:
        folder = Path(tempfile.mkdtemp(prefix="ttsr-ls-tests-"))
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        config.stash[_STARTED_FILE] = folder / "started.json"
    return config.stash[_STARTED_FILE]
