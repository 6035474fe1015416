"""Support of models at an endpoint for messages with the role `system` within a conversation.

Anthropic's models accept them since Claude Opus 4.8; earlier ones refuse the request. OpenAI's own models accept them.
Templates of many local models, which have the Chat Completions API, accept a system message only at the beginning.
"""

from __future__ import annotations

import re

from ttsr_ls.bridge.model.endpoint import OPENAI_URL, Endpoint
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.system_messages import SystemMessages

_CLAUDE = re.compile(r"claude-[a-z]+-(?P<major>\d{1,2})(?:-(?P<minor>\d{1,2}))?(?![0-9])")
_FIRST = (4, 8)


def system_message_support(endpoint: Endpoint) -> SystemMessages:
    """Returns the model's support of system messages: accepted or refused. An unknown model counts as refusing."""
    match endpoint.api:
        case Api.ANTHROPIC:
            accepted = is_since_opus_4_8(endpoint.model)
        case Api.OPENAI_CHAT:
            accepted = endpoint.base_url == OPENAI_URL
        case Api.OPENAI_RESPONSES:
            accepted = True
        case Api.GEMINI:
            accepted = False
    return SystemMessages.ACCEPTED if accepted else SystemMessages.REFUSED


def is_since_opus_4_8(model: str) -> bool:
    """Returns whether an Anthropic model accepts system messages within a conversation, judging by its name."""
    match = _CLAUDE.search(model)
    return match is not None and (int(match["major"]), int(match["minor"] or 0)) >= _FIRST
