"""The particulars of Google's contents: signatures, responses that are objects, and images after them."""

from __future__ import annotations

from tests.session.projection.whole import anthropic_messages, gemini_contents
from tests.session.projection.wire_rules import check_gemini
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn_output import Image, ServerTool, Text, Thinking
from ttsr_ls.session.projection.anthropic import CONTINUE, OPENING
from ttsr_ls.session.projection.conversation import AssistantMessage, CallWithResult, PromptMessage, Result
from ttsr_ls.session.projection.gemini import UNSIGNED

ASKED = PromptMessage(Role.USER, (Text("go"),))


def call(identity: str, result: Result, signature: str | None = None, tool: str = "bash") -> CallWithResult:
    return CallWithResult(identity, tool, '{"command": "ls"}', result, signature)


FINE = Result("fine", (), failed=False)


def test_thought_signatures_are_sent_back_with_their_parts_to_google_only() -> None:
    thought = Thinking("Hm.", None, "dGhvdWdodA==")
    items: list[PromptMessage | AssistantMessage] = [
        ASKED,
        AssistantMessage((thought, Thinking("Unsigned."), Text("So.", "dGV4dA=="), call("c1", FINE, "Y2FsbA=="))),
    ]
    contents = gemini_contents(items)
    assert contents[1]["parts"] == [
        {"text": "Hm.", "thought": True, "thoughtSignature": "dGhvdWdodA=="},
        {"text": "So.", "thoughtSignature": "dGV4dA=="},
        {
            "functionCall": {"id": "c1", "name": "bash", "args": {"command": "ls"}},
            "thoughtSignature": "Y2FsbA==",
        },
    ]
    check_gemini(contents)
    assert "dGV4dA==" not in str(anthropic_messages(items))
    assert "thinking" not in str(anthropic_messages(items))


def test_the_first_unsigned_call_of_an_answer_gets_the_documented_signature() -> None:
    contents = gemini_contents([ASKED, AssistantMessage((call("c1", FINE), call("c2", FINE)))])
    assert [part.get("thoughtSignature") for part in contents[1]["parts"]] == [UNSIGNED, None]


def test_function_responses_are_objects_with_a_key_for_text_of_the_host() -> None:
    results = [
        Result("boom", (), failed=True),
        Result("<system-reminder>x", (), failed=False, host_text="<system-reminder>y"),
    ]
    contents = gemini_contents([ASKED, AssistantMessage((call("c1", results[0]), call("c2", results[1], tool="2d")))])
    assert [part["functionResponse"] for part in contents[2]["parts"]] == [
        {"id": "c1", "name": "bash", "response": {"error": "boom"}},
        {
            "id": "c2",
            "name": "_2d",
            "response": {"note_from_host": "<system-reminder>y", "output": "<system-reminder>x"},
        },
    ]


def test_images_follow_all_responses_and_unsupported_formats_are_named() -> None:
    images = (Image("image/png", "aGk="), Image("image/gif", "aGk="))
    contents = gemini_contents(
        [ASKED, AssistantMessage((call("c1", Result("", images, failed=False)), call("c2", FINE))), ASKED]
    )
    assert [*map(list, contents[2]["parts"])] == [["functionResponse"]] * 2 + [
        ["text"],
        ["inlineData"],
        ["text"],
        ["text"],
    ]
    assert contents[2]["parts"][3] == {"inlineData": {"mimeType": "image/png", "data": "aGk="}}
    assert contents[2]["parts"][4] == {"text": "[an image of type image/gif is left out]"}
    check_gemini(contents)


def test_contents_start_and_end_with_the_user_and_system_text_is_sent_as_the_users() -> None:
    answer = AssistantMessage((Text("Hello."), ServerTool("s", "web_search", "{}", "web_search_tool_result", "[]")))
    contents = gemini_contents([answer, PromptMessage(Role.SYSTEM, (Text("Mind this."),)), answer])
    texts = [[part["text"] for part in content["parts"]] for content in contents]
    assert texts == [
        [OPENING],
        ["Hello.", "[used web_search {}]"],
        ["Mind this."],
        ["Hello.", "[used web_search {}]"],
        [CONTINUE],
    ]
    check_gemini(contents)


def test_an_answer_of_thoughts_alone_is_left_out() -> None:
    assert gemini_contents([ASKED, AssistantMessage((Thinking("Hm.", None, "c2ln"),))]) == [
        {"role": "user", "parts": [{"text": "go"}]}
    ]


def test_only_call_ids_assigned_by_google_are_sent() -> None:
    calls = (call("gp737npz", FINE), call("call_1", FINE), call("toolu_01", FINE))
    contents = gemini_contents([ASKED, AssistantMessage(calls)])
    for number, kind in ((1, "functionCall"), (2, "functionResponse")):
        assert [part[kind].get("id") for part in contents[number]["parts"]] == ["gp737npz", None, None]
