"""How much property tests try: little by default, much with `TTSR_TESTS=thorough`, as before a release."""

import os

from hypothesis import settings

settings.register_profile("quick", deadline=None, max_examples=100)
settings.register_profile("thorough", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("TTSR_TESTS", "quick"))
