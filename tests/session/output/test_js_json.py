"""Arguments are written as by `JSON.stringify`. The expected texts are those of Node 24."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ttsr_ls.session.output import js_json
from ttsr_ls.session.output.js_json import json_stringify
from ttsr_ls.session.output.partial_json import JsonValue


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"command": 'echo "hi"\n\tls'}, r'{"command":"echo \"hi\"\n\tls"}'),
        ({"a": [1, 2.5, True, None, {}]}, '{"a":[1,2.5,true,null,{}]}'),
        ({"é": "😀  "}, '{"é":"😀  "}'),
        ({"a": "/", "b": "\u0001\u007f"}, '{"a":"/","b":"\\u0001\u007f"}'),
        ({"half": "x\ud83dy"}, '{"half":"x\\ud83dy"}'),
        (
            {"n": 1.0, "m": -0.5, "k": 1e21, "big": 9007199254740993},
            '{"n":1,"m":-0.5,"k":1e+21,"big":9007199254740992}',
        ),
        (
            {"a": float("inf"), "b": float("-inf"), "c": 2**1024, "d": -(10**400)},
            '{"a":null,"b":null,"c":null,"d":null}',
        ),
        ({"max": 2**1024 - 2**970 - 1}, '{"max":1.7976931348623157e+308}'),
    ],
)
def test_values_are_written_as_by_json_stringify(value: JsonValue, text: str) -> None:
    assert json_stringify(value) == text


TEXTS = st.text(st.characters(codec=None), max_size=6)
NUMBERS = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(VALUES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_fast_encoder_writes_the_same_text(monkeypatch: pytest.MonkeyPatch, value: JsonValue) -> None:
    text = json_stringify(value)
    with monkeypatch.context() as patched:
        patched.setattr(js_json, "_is_exact", lambda _: False)
        assert json_stringify(value) == text


def test_every_character_is_escaped_as_by_the_slow_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    characters = "".join(chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000)
    text = json_stringify(characters)
    monkeypatch.setattr(js_json, "_is_exact", lambda _: False)
    assert json_stringify(characters) == text
