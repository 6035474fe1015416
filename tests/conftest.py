"""How much property tests try: little by default, much with `TTSR_TESTS=thorough`, as before a release."""

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import settings

settings.register_profile("quick", deadline=None, max_examples=100)
settings.register_profile("thorough", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("TTSR_TESTS", "quick"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keeps the collector from looking through all tests and modules, while they are made and while the tests run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
