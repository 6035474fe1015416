"""The models that accept system messages within a conversation, by their names and addresses."""

from __future__ import annotations

import pytest

from ttsr_ls.bridge.model.endpoint import ANTHROPIC_URL, OPENAI_URL, Endpoint
from ttsr_ls.bridge.model.system_messages import system_message_support
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.system_messages import SystemMessages


@pytest.mark.parametrize(
    ("model", "accepted"),
    [
        ("claude-opus-4-8", True),
        ("claude-opus-4-8-20260301", True),
        ("claude-opus-5-5", True),
        ("claude-haiku-5-5", True),
        ("claude-fable-5-1", True),
        ("anthropic/claude-sonnet-5", True),
        ("claude-opus-4-7", False),
        ("claude-sonnet-4-5", False),
        ("claude-sonnet-4-20250514", False),
        ("claude-opus-4-20250514", False),
        ("claude-3-5-sonnet-20241022", False),
        ("claude-instant", False),
        ("my-model", False),
    ],
)
def test_anthropic_models_since_opus_4_8_accept_system_messages(model: str, accepted: bool) -> None:
    messages = system_message_support(Endpoint(Api.ANTHROPIC, ANTHROPIC_URL, model, None))
    assert messages is (SystemMessages.ACCEPTED if accepted else SystemMessages.REFUSED)


@pytest.mark.parametrize(
    ("api", "url", "accepted"),
    [
        (Api.OPENAI_CHAT, OPENAI_URL, True),
        (Api.OPENAI_CHAT, "http://127.0.0.1:11434/v1", False),
        (Api.OPENAI_RESPONSES, OPENAI_URL, True),
        (Api.OPENAI_RESPONSES, "http://127.0.0.1:8000/v1", True),
        (Api.GEMINI, "https://generativelanguage.googleapis.com/v1beta", False),
    ],
)
def test_local_chat_models_refuse_system_messages(api: Api, url: str, accepted: bool) -> None:
    messages = system_message_support(Endpoint(api, url, "m", None))
    assert messages is (SystemMessages.ACCEPTED if accepted else SystemMessages.REFUSED)
