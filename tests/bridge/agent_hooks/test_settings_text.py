"""Reading the text of an agent's settings."""

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.bridge.agent_hooks.settings_text import AcceptedJson, rewritable_settings
from ttsr_ls.errors import UsageError


def test_a_repeated_key_behind_very_many_keys_is_found_in_linear_time() -> None:
    keys = ",".join(f'"{number}":1' for number in range(100_000))
    with processor_time_below(2), pytest.raises(UsageError, match="the key `x` twice"):
        rewritable_settings(f'{{{keys},"x":1,"x":2}}', AcceptedJson.STRICT, "Codex")
