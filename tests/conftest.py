"""Sets the number of examples of property tests, and distributes the tests to processes."""

import gc
import signal
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import settings

from tests.property_examples import IS_THOROUGH
from tests.scheduling import collected_first, longest_first, scheduler

# A shell starts what runs in its background with SIGINT ignored, and programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.load_profile("thorough" if IS_THOROUGH else "quick")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Keeps the collector from looking through all tests and modules, while they are made and while the tests run."""
    session.config.args = collected_first(session.config)
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
