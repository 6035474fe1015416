"""Reading the text of an agent's settings."""

import json

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.bridge.agent_hooks.client.client_script import CLIENT_NAME
from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS, HookAddresses
from ttsr_ls.bridge.agent_hooks.installation import (
    add_hooks,
    differences,
    fails_closed,
    mentions_hooks,
    repeated_events,
)
from ttsr_ls.bridge.agent_hooks.settings_text import AcceptedJson, read_settings, rewritable_settings
from ttsr_ls.errors import UsageError


def test_a_repeated_key_behind_very_many_keys_is_found_in_linear_time() -> None:
    keys = ",".join(f'"{number}":1' for number in range(100_000))
    with processor_time_below(2), pytest.raises(UsageError, match="the key `x` twice"):
        rewritable_settings(f'{{{keys},"x":1,"x":2}}', AcceptedJson.STRICT, "Codex")


_HOOK = {"matcher": "*", "hooks": [{"type": "command", "command": "true"}]}
_ADDRESSES = HookAddresses("http://127.0.0.1:9", "Bearer x", "/home/u/ttsr-hook", ("python", "-m", "ttsr_ls"))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"hooks": {f"Event{number}": [_HOOK] for number in range(5_000)}}),
        json.dumps({"a": "b " * 500_000}),
        json.dumps({f"key{number}": number for number in range(20_000)}) + " // last",
    ],
    ids=["events", "a long line", "keys, and a comment"],
)
def test_large_settings_are_decoded_once_for_many_questions(text: str) -> None:
    hooks = AGENTS["claude"]
    # Takes 0.3 seconds on the reference machine, and 4.4 if each question decodes the text.
    with processor_time_below(1.5):
        # As often as `doctor` asks.
        for _ in range(20):
            assert not mentions_hooks(text)
            assert not fails_closed(text)
            assert differences(text, hooks, _ADDRESSES) == ()


def test_adding_hooks_does_not_change_the_cached_settings() -> None:
    text = json.dumps({"hooks": {"Stop": [_HOOK]}})
    before = json.dumps(read_settings(text))
    with_hooks = add_hooks(text, AGENTS["claude"], _ADDRESSES)
    assert mentions_hooks(with_hooks)
    assert json.dumps(read_settings(text)) == before


def test_repeated_hooks_are_found_among_thousands() -> None:
    handlers = [{"hooks": [{"type": "command", "command": f"/x/{CLIENT_NAME} {number}"}]} for number in range(10_000)]
    text = json.dumps({"hooks": {"PreToolUse": [*handlers, handlers[0]], "Stop": handlers}})
    with processor_time_below(0.8):  # It took 5 s.
        assert repeated_events(text) == ("PreToolUse",)
