"""Parts of JSON values, each with its own bytes, also where a text has a lone surrogate."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, sse, text, write
from tests.bridge.proxy.proxied import NO_OLD, Proxied
from ttsr_ls.bridge.proxy.requests.fragments import RequestUnreadable, encoded_parts, list_parts, object_parts

TEXTS = st.text(st.characters(min_codepoint=1, max_codepoint=0xE000), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=5), st.sampled_from([None, 1]))
def test_object_parts_agree_with_the_json_module(value: dict[str, object], indent: int | None) -> None:
    parts = object_parts(json.dumps(value, indent=indent).encode())
    assert {key: json.loads(bytes(raw)) for key, raw in parts.items()} == value
    assert json.loads(bytes(encoded_parts(parts))) == value


@given(st.lists(VALUES, max_size=5), st.sampled_from([None, 1]))
def test_list_parts_agree_with_the_json_module(value: list[object], indent: int | None) -> None:
    parts = list_parts(json.dumps(value, indent=indent).encode())
    assert [json.loads(bytes(raw)) for raw in parts] == value
    assert json.loads(bytes(encoded_parts(parts))) == value


BAD = ('["\\ud800"', '["\\ud800",]', '["\\ud800" 1]', '["\\ud800"]]', '{"a" "\\ud800"}', '{"\\ud800":1,}', "{1:2}")


@pytest.mark.parametrize("bad", BAD)
def test_invalid_json_raises_request_unreadable(bad: str) -> None:
    for read in (object_parts, list_parts):
        with pytest.raises(RequestUnreadable):
            read(bad.encode())


def test_a_lone_surrogate_in_a_result_leaves_the_rules_in_force() -> None:
    proxied = Proxied({"no_old": NO_OLD})
    model = AnthropicModel([[write("import deprecated_module\n")], [write("x = 1\n")], [text("Written.")]])
    client = AnthropicClient()

    def ask() -> bool:
        got = proxied.ask(client.request(), lambda body: sse(model.answer(json.loads(body))))
        return client.take(read_message(got))

    assert ask()
    client.messages[-1]["content"][0]["content"] = "cut \ud83d"
    assert not ask()
    assert b"cut \\ud83d" in proxied.sent[-1]
    assert b"Use new_module." in proxied.sent[-1]
