"""Injections with the role `system` are sent with it if the model accepts that, else as the user's (spec W9)."""

from __future__ import annotations

import pytest

from tests.session.projection.test_projection_wire import answer, batch, note, turn
from tests.session.projection.whole import anthropic_messages, chat_messages, responses_input
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Step, TurnTrigger, UnseenTrigger, UserInput
from ttsr_ls.session.history.turn_output import CallDone, Text, ToolCall
from ttsr_ls.session.projection.system_messages import SystemMessages

GO = UserInput("go")


@pytest.mark.parametrize("role", list(Role))
def test_an_injection_is_sent_with_its_role_if_the_model_accepts_it(role: Role) -> None:
    """Seed 002: `system` by default, `user` allowed."""
    items = turn(UserInput("go"), answer(Text("kept")), note("careful", role), note("hello", Role.USER))
    for system_messages in SystemMessages:
        last = role.value if system_messages is SystemMessages.ACCEPTED else "user"
        assert [message["role"] for message in chat_messages(items, system_messages)][2] == last
        assert [message["role"] for message in responses_input(items, system_messages)][2] == last
    assert [message["role"] for message in anthropic_messages(items)] == ["user", "assistant", "user"]


def test_anthropic_gets_system_messages_only_right_after_a_user_message() -> None:
    careful = note("careful", Role.SYSTEM)

    def roles(*steps: Step, trigger: TurnTrigger = GO) -> list[str]:
        messages = anthropic_messages(turn(trigger, *steps), SystemMessages.ACCEPTED)
        assert "careful" in str(messages)
        return [message["role"] for message in messages]

    assert roles(careful) == ["user", "system"]
    assert roles(careful, careful) == ["user", "system"]
    assert roles(careful, answer(Text("ok"))) == ["user", "system", "assistant", "user"]
    assert roles(answer(Text("kept")), careful) == ["user", "assistant", "user"]
    assert roles(careful, trigger=UnseenTrigger()) == ["user"]
    calls = (answer(ToolCall("a", "read", "{}")), batch(("a", CallDone("ok"))))
    assert roles(*calls, careful) == ["user", "assistant", "user", "system"]
    assert roles(careful, note("and", Role.USER)) == ["user", "system", "user"]
