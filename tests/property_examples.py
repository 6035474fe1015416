"""How many examples property tests try: the same ones in each run of the suite, many new ones before a release.

`TTSR_TESTS=thorough python -m pytest …` tries many. A run of the suite would not be one that can be repeated, if each
tried others.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

_MANY = 5000
IS_THOROUGH = os.environ.get("TTSR_TESTS") == "thorough"

# Whether examples are made too slowly depends on what else the machine does.
_TIMELESS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", _TIMELESS, max_examples=100, derandomize=True)
settings.register_profile("thorough", _TIMELESS, max_examples=_MANY)

if not IS_THOROUGH:
    # Hypothesis also tries the constants of all modules that are imported, which depend on the tests before.
    providers._get_local_constants = lambda: providers._local_constants


def examples(count: int) -> settings:
    """The settings of a property that needs `count` examples rather than 100 to find what it is to find."""
    return settings(max_examples=max(_MANY, count) if IS_THOROUGH else count)
