"""Arguments are written as by `JSON.stringify`. The expected texts are those of Node 24."""

from __future__ import annotations

import pytest

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
    ],
)
def test_values_are_written_as_by_json_stringify(value: JsonValue, text: str) -> None:
    assert json_stringify(value) == text
