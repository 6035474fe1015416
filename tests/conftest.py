"""How much property tests try: little by default, much with `TTSR_TESTS=thorough`, as before a release."""

import gc
import os

from hypothesis import settings

settings.register_profile("quick", deadline=None, max_examples=100)
settings.register_profile("thorough", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("TTSR_TESTS", "quick"))


def pytest_collection_finish() -> None:
    """Keeps the collector from looking through all tests and modules again and again while the tests run."""
    gc.freeze()
