"""Sets the number of examples of property tests, and distributes the tests to processes."""

import gc
import signal
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import settings

from tests.deferred_collection import pytest_configure_node, pytest_pycollect_makemodule, pytest_runtest_protocol
from tests.property_examples import IS_THOROUGH
from tests.scheduling import longest_first, scheduler

__all__ = ["pytest_configure_node", "pytest_pycollect_makemodule", "pytest_runtest_protocol"]

# A shell starts what runs in its background with SIGINT ignored, and programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.load_profile("thorough" if IS_THOROUGH else "quick")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keeps the collector from looking through all tests and modules, while they are made and while the tests run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = longest_first(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    return scheduler(config, log)
