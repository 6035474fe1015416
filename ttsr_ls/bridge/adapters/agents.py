"""The supported formats of agents' output, by the names that users write, with the limits of each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.bridge.adapters.acp.adapter import AcpAdapter
from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.bridge.adapters.claude.transcript import ClaudeTranscriptAdapter
from ttsr_ls.bridge.adapters.codex.app_server import CodexAppServerAdapter
from ttsr_ls.bridge.adapters.codex.exec import CodexExecAdapter
from ttsr_ls.bridge.adapters.codex.rollout import CodexRolloutAdapter
from ttsr_ls.bridge.adapters.gemini.chat import GeminiChatAdapter
from ttsr_ls.bridge.adapters.gemini.cli import GeminiCliAdapter
from ttsr_ls.bridge.adapters.opencode.adapter import OpencodeAdapter
from ttsr_ls.bridge.adapters.pi import PiAdapter
from ttsr_ls.bridge.adapters.plain_text import PlainTextAdapter
from ttsr_ls.bridge.adapters.provider_stream import ProviderStreamAdapter
from ttsr_ls.bridge.adapters.session_log import SessionLogAdapter
from ttsr_ls.session.output.agent_events import Adapter
from ttsr_ls.session.output.wire_events import Api


class AgentSource(Struct, frozen=True):
    """A format of an agent's output. `make` creates its adapter; the argument is the folder against which relative
    paths are resolved, None if the stream names it. `unseen` are sentences about the parts that rules cannot match.
    """

    title: str
    make: Callable[[PurePath | None], Adapter]
    unseen: tuple[str, ...] = ()


_WHOLE_CALLS = "Tool calls come whole, when they run: a rule fires too late to prevent one."
_WHOLE_BLOCKS = "Text, thinking and tool calls come whole, once each is complete."
_NO_THINKING = "Thinking is not in the stream."
_UNTRIED_DRAFT = "Draft 2 of the protocol is read by its schema: no real agent spoke it yet."
_NO_TURNS = "Prompts and results of tools are not in the stream."

SESSION_LOG = "session-log"

SOURCES = {
    "claude": AgentSource("Claude Code, --output-format stream-json", ClaudeAdapter),
    "claude-transcript": AgentSource("a transcript of Claude Code", ClaudeTranscriptAdapter, (_WHOLE_BLOCKS,)),
    "codex": AgentSource("Codex, exec --json", CodexExecAdapter, (_WHOLE_BLOCKS, _WHOLE_CALLS)),
    "codex-app-server": AgentSource("Codex, app-server", CodexAppServerAdapter, (_WHOLE_CALLS,)),
    "codex-rollout": AgentSource("a rollout of Codex", CodexRolloutAdapter, (_WHOLE_BLOCKS,)),
    "pi": AgentSource("pi, --mode json or rpc, or a session that it kept", PiAdapter),
    "omp": AgentSource("oh-my-pi, --mode json or rpc, or a session that it kept", PiAdapter),
    "opencode": AgentSource("opencode, serve or run --format json, or a session that it kept", OpencodeAdapter),
    "gemini": AgentSource("Gemini CLI, --output-format stream-json", GeminiCliAdapter, (_NO_THINKING, _WHOLE_CALLS)),
    "gemini-chat": AgentSource("a chat that Gemini CLI kept", GeminiChatAdapter, (_WHOLE_BLOCKS,)),
    "acp": AgentSource("an agent that speaks the Agent Client Protocol", AcpAdapter, (_WHOLE_CALLS, _UNTRIED_DRAFT)),
    **{
        f"{api}-api": AgentSource(f"the event stream of {name}", partial(ProviderStreamAdapter, api), (_NO_TURNS,))
        for api, name in (
            (Api.ANTHROPIC, "Anthropic's Messages API"),
            (Api.OPENAI_CHAT, "OpenAI's Chat Completions API"),
            (Api.OPENAI_RESPONSES, "OpenAI's Responses API"),
            (Api.GEMINI, "the Gemini API"),
        )
    },
    SESSION_LOG: AgentSource("a session log of ttsr-ls", SessionLogAdapter, (_WHOLE_BLOCKS,)),
    "text": AgentSource("plain text", PlainTextAdapter, ("All of it counts as text: rules for tools do not apply.",)),
}
"""Every source by its name."""
