"""The JUnit report escapes an attribute value that thousands of findings share only once."""

from __future__ import annotations

from tests.counted_calls import count_calls
from ttsr_ls.cli.formats.junit import attribute


def test_a_value_of_many_attributes_is_escaped_once() -> None:
    long = "a & \u200b<b>" * 1_000
    first: list[str] = []
    once = count_calls(lambda: first.append(attribute(long)))
    again = count_calls(lambda: [attribute(long) for _ in range(100)])
    assert first == [attribute(long)]
    assert "&amp;" in first[0]
    assert "\u200b" not in first[0]
    assert once > 10
    assert again < 300
