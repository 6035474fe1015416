"""Creates the decoder for an API."""

from __future__ import annotations

from pathlib import PurePath
from typing import assert_never

from ttsr_ls.bridge.wire.answer_limits import ANSWER_LIMITS, AnswerLimits
from ttsr_ls.bridge.wire.anthropic import AnthropicDecoder
from ttsr_ls.bridge.wire.gemini import GeminiDecoder
from ttsr_ls.bridge.wire.openai_chat import ChatDecoder
from ttsr_ls.bridge.wire.openai_responses import ResponsesDecoder
from ttsr_ls.session.output.common_tools import COMMON_TOOLS
from ttsr_ls.session.output.tool_vocabulary import Vocabulary
from ttsr_ls.session.output.wire_events import Api, Decoder


def build_decoder(
    api: Api, cwd: PurePath, tools: Vocabulary = COMMON_TOOLS, limits: AnswerLimits = ANSWER_LIMITS
) -> Decoder:
    """Creates the decoder of one answer. Relative paths in calls are resolved against `cwd`, an absolute folder."""
    match api:
        case Api.ANTHROPIC:
            return AnthropicDecoder(cwd, tools, limits)
        case Api.OPENAI_CHAT:
            return ChatDecoder(cwd, tools, limits)
        case Api.OPENAI_RESPONSES:
            return ResponsesDecoder(cwd, tools, limits)
        case Api.GEMINI:
            return GeminiDecoder(cwd, tools, limits)
    assert_never(api)
