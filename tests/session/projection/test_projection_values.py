"""Values that providers refuse are replaced by accepted ones, and all others are unchanged."""

from __future__ import annotations

import pytest

from tests.session.projection.whole import conversation
from ttsr_ls.escaping import well_formed
from ttsr_ls.session.history.turn import ModelCall, NumberedStep, Turn, TurnCompleted, UnseenTrigger
from ttsr_ls.session.history.turn_events import MAIN_AGENT
from ttsr_ls.session.history.turn_output import ServerTool, Text
from ttsr_ls.session.projection.conversation import AssistantMessage
from ttsr_ls.session.projection.wire_values import CallIds, json_object, tool_name


@pytest.mark.parametrize(
    ("text", "sent"),
    [("h\u00e9 \U0001f600", "h\u00e9 \U0001f600"), ("\ud83d\ude00", "\U0001f600"), ("a\ud83d", "a\ufffd")],
)
def test_surrogates_are_joined_or_replaced(text: str, sent: str) -> None:
    assert well_formed(text) == sent


@pytest.mark.parametrize(("text", "value"), [("", {}), (" ", {}), ('{"a": "\\ud83d"}', {"a": "\ufffd"})])
def test_arguments_of_calls_become_a_valid_json_object(text: str, value: dict[str, object]) -> None:
    assert json_object(text) == value


@pytest.mark.parametrize("text", ["{", "[1]", "null", '{"a": NaN}', '{"a": -1e999}', "[" * 100_000, "1" * 5000])
def test_json_object_raises_for_anything_but_an_object(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json_object(text)


@pytest.mark.parametrize(
    ("name", "sent"), [("mcp__x", "mcp__x"), ("a b/c", "a_b_c"), ("", "tool"), ("x" * 99, "x" * 64)]
)
def test_invalid_characters_in_tool_names_are_replaced(name: str, sent: str) -> None:
    assert tool_name(name) == sent


def test_call_ids_are_unique_and_kept_if_possible() -> None:
    ids = CallIds()
    assert [ids.unique(wanted, "call_") for wanted in ("a", "a", "call_2", "", "a b")] == [
        *("a", "call_1", "call_2", "call_3", "call_4"),
    ]


@pytest.mark.parametrize(
    ("arguments", "result_type", "result"),
    [("{", "web_search_tool_result", "[]"), ("{}", "web_search_tool_result", "["), ("{}", "text", "[]")],
)
def test_a_server_tool_with_an_invalid_part_is_left_out_completely(
    arguments: str, result_type: str, result: str
) -> None:
    pair = ServerTool("srvtoolu_1", "web_search", arguments, result_type, result)
    step = NumberedStep(0, ModelCall(MAIN_AGENT, "m", (pair, Text("x")), complete=True))
    assert conversation((Turn("t1", UnseenTrigger(), (step,), TurnCompleted()),), MAIN_AGENT) == (
        AssistantMessage((Text("x"),)),
    )
