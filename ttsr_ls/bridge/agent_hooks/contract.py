"""The contracts of agents' hooks (spec W11): parses their input to a `HookCall`, and writes answers in their format."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, assert_never

from msgspec import Struct

from ttsr_ls.bridge.agent_hooks.hook_call import (
    Allowed,
    ContextAdded,
    Continued,
    Denied,
    HookAnswer,
    HookCall,
    HookKind,
    LoadedInstructions,
    UserConfirmation,
)
from ttsr_ls.bridge.wire.fields import get_content_text, get_object, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.session.history.turn_events import MAIN_AGENT

MAX_ANSWER_LENGTH = 10_000
"""Claude Code truncates longer strings of a hook, in characters."""

_CUT = "\n… (the rest of the rule's text is left out)"


class AnswerFormat(StrEnum):
    """The format of the answers of an agent's hooks, by the agent that introduced it."""

    CLAUDE = "claude"
    VSCODE = "vscode"
    """That of VS Code, which reads the fields in `hookSpecificOutput`, and of Copilot CLI, which runs the same hooks
    and reads most fields only beside it.
    """
    GEMINI = "gemini"
    CURSOR = "cursor"


class HookContract(Struct, frozen=True):
    """The format of an agent's hooks: the `kinds` of its events by their names, and the format of answers."""

    kinds: dict[str, HookKind]
    answers: AnswerFormat
    can_ask: bool = False
    """A hook before a tool may leave the decision to the user."""
    may_lack_folder: bool = False
    """A window of the agent may have no folder, and its calls then name none."""


_CLAUDE_KINDS = {
    "SessionStart": HookKind.SESSION_STARTED,
    "UserPromptSubmit": HookKind.PROMPTED,
    "PreToolUse": HookKind.BEFORE_TOOL,
    "PostToolUse": HookKind.AFTER_TOOL,
    "PostToolUseFailure": HookKind.AFTER_TOOL,
    "Stop": HookKind.STOPPING,
    "SubagentStop": HookKind.SUBAGENT_STOPPING,
    "SessionEnd": HookKind.SESSION_ENDED,
    "InstructionsLoaded": HookKind.INSTRUCTIONS_LOADED,
}

_FAILURES = frozenset({"PostToolUseFailure", "postToolUseFailure"})

_STOPPED = frozenset({"aborted", "error"})
"""The ends of a turn of Cursor other than `completed`. Cursor ignores the hook's message after them."""

CONTRACTS = {
    "claude": HookContract(_CLAUDE_KINDS, AnswerFormat.CLAUDE, can_ask=True),
    "codex": HookContract(_CLAUDE_KINDS, AnswerFormat.CLAUDE),
    "vscode": HookContract(_CLAUDE_KINDS, AnswerFormat.VSCODE, can_ask=True, may_lack_folder=True),
    "gemini": HookContract(
        {
            "SessionStart": HookKind.SESSION_STARTED,
            "BeforeAgent": HookKind.PROMPTED,
            "BeforeTool": HookKind.BEFORE_TOOL,
            "AfterTool": HookKind.AFTER_TOOL,
            "AfterAgent": HookKind.STOPPING,
            "SessionEnd": HookKind.SESSION_ENDED,
        },
        AnswerFormat.GEMINI,
        can_ask=True,
    ),
    "cursor": HookContract(
        {
            "sessionStart": HookKind.SESSION_STARTED,
            "beforeSubmitPrompt": HookKind.PROMPTED,
            "preToolUse": HookKind.BEFORE_TOOL,
            "beforeShellExecution": HookKind.BEFORE_TOOL,
            "postToolUse": HookKind.AFTER_TOOL,
            "postToolUseFailure": HookKind.AFTER_TOOL,
            "afterAgentResponse": HookKind.ANSWERED,
            "stop": HookKind.STOPPING,
            "sessionEnd": HookKind.SESSION_ENDED,
        },
        AnswerFormat.CURSOR,
        may_lack_folder=True,
    ),
}
"""The contract of each agent, by its name."""


def hook_call(
    contract: HookContract, message: JsonObject, *, home: str = "", needs_complete_check: bool = False
) -> HookCall:
    """Reads the input of a hook. A field that is missing is blank.

    `home` is the folder of calls from a window without one, for the rules of the user.
    """
    event = get_text(message, "hook_event_name") or get_text(message, "hookEventName")
    kind = _kind(contract, event, message)
    roots = message.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    tool = get_text(message, "tool_name") or get_text(message, "toolName")
    arguments = get_object(message, "tool_input") or get_object(message, "toolInput")
    if event == "beforeShellExecution":
        tool, arguments = "bash", {"command": get_text(message, "command")}
    agent = get_text(message, "agent_id")
    return HookCall(
        kind=kind,
        event=event,
        session=_session(contract, message),
        cwd=get_text(message, "cwd") or root or (home if contract.may_lack_folder else ""),
        agent=agent or MAIN_AGENT,
        # Claude Code names the kind of the main agent, too, if the user chose one.
        agent_kind=get_text(message, "agent_type") if agent else "",
        tool=tool,
        call=get_text(message, "tool_use_id") or get_text(message, "toolUseId"),
        arguments=arguments,
        text=_text(kind, message),
        transcript=get_text(message, "transcript_path") if contract.answers is AnswerFormat.VSCODE else "",
        # VS Code 1.139 does not wait for PostToolUse. Copilot CLI waits for it, ignores such context, and sends no id.
        is_reminded_before=contract.answers is AnswerFormat.VSCODE and bool(get_text(message, "tool_use_id")),
        has_failed=event in _FAILURES
        or get_text(message, "status") in _STOPPED
        or (contract.answers is AnswerFormat.GEMINI and bool(get_object(message, "tool_response").get("error"))),
        needs_complete_check=needs_complete_check,
        instructions=_instructions(kind, message),
    )


def _kind(contract: HookContract, event: str, message: JsonObject) -> HookKind:
    kind = contract.kinds.get(event, HookKind.OTHER)
    is_subagent = contract.answers is AnswerFormat.VSCODE and bool(get_text(message, "agent_id"))
    # Copilot CLI calls both hooks when a subagent stops; only the second one has the subagent's answer.
    return HookKind.UNUSED if kind is HookKind.STOPPING and is_subagent else kind


def _session(contract: HookContract, message: JsonObject) -> str:
    # Copilot CLI sends the id of a subagent as the session of its calls.
    parent = get_text(message, "parent_agent_id") if contract.answers is AnswerFormat.VSCODE else ""
    named = get_text(message, "session_id") or get_text(message, "sessionId")
    return get_text(message, "conversation_id") or parent or named


def _instructions(kind: HookKind, message: JsonObject) -> LoadedInstructions | None:
    path = get_text(message, "file_path")
    if kind is not HookKind.INSTRUCTIONS_LOADED or not path:
        return None
    return LoadedInstructions(path, get_text(message, "memory_type"), get_text(message, "load_reason"))


def _text(kind: HookKind, message: JsonObject) -> str:
    match kind:
        case HookKind.PROMPTED:
            return get_text(message, "prompt")
        case HookKind.ANSWERED:
            return get_text(message, "text")
        case HookKind.STOPPING | HookKind.SUBAGENT_STOPPING:
            return get_text(message, "last_assistant_message") or get_text(message, "prompt_response")
        case HookKind.AFTER_TOOL:
            return _result(message)
        case _:
            return ""


def _result(message: JsonObject) -> str:
    """Returns the text of a tool's result: of its content, of its output, or of the error with which it failed."""
    for key in ("tool_response", "tool_output", "error_message", "error"):
        if isinstance(result := message.get(key), str) and result:
            return result
    if of_copilot_cli := get_text(get_object(message, "tool_result"), "text_result_for_llm"):
        return of_copilot_cli
    response = get_object(message, "tool_response")
    content = response.get("llmContent")  # Of Gemini CLI: a text, a part, or a list of both.
    if content:
        parts = content if isinstance(content, list) else [content]
        return "\n".join(filter(None, (part if isinstance(part, str) else get_text(part, "text") for part in parts)))
    outputs = (get_text(response, "stdout"), get_text(response, "stderr"))
    return get_content_text(response, "content") or "\n".join(filter(None, outputs))


def with_message(contract: HookContract, body: dict[str, Any], message: str) -> dict[str, Any]:
    """The answer with a message for the user, in agents that show one."""
    match contract.answers:
        case AnswerFormat.CURSOR:
            return body
        case AnswerFormat.CLAUDE | AnswerFormat.VSCODE | AnswerFormat.GEMINI:
            return {**body, "systemMessage": shorten(message)}
    assert_never(contract.answers)


def answer_body(contract: HookContract, call: HookCall, answer: HookAnswer) -> dict[str, Any]:
    """The JSON that the agent expects as the answer to `call`.

    Raises ValueError for a `UserConfirmation` where the contract does not say `can_ask`.
    """
    match answer:
        case Allowed():
            return {}
        case Denied():
            return _denied(contract, call, shorten(answer.text), answer.rules)
        case UserConfirmation():
            return _asked(contract, call, shorten(answer.text))
        case ContextAdded():
            return _with_context(contract, call, shorten(answer.text))
        case Continued():
            return _continued(contract, call, shorten(answer.text))
    assert_never(answer)


def _denied(contract: HookContract, call: HookCall, reason: str, rules: tuple[str, ...]) -> dict[str, Any]:
    match contract.answers:
        case AnswerFormat.GEMINI:
            return {"decision": "deny", "reason": reason}
        case AnswerFormat.CURSOR:
            text = f"ttsr-ls: this breaks {', '.join(rules)}."
            return {"permission": "deny", "agent_message": reason, "user_message": text}
        case AnswerFormat.CLAUDE | AnswerFormat.VSCODE:
            return {
                "hookSpecificOutput": {
                    "hookEventName": call.event,
                    "permissionDecision": "deny",
                    "permissionDecisionReason": reason,
                }
            }
    assert_never(contract.answers)


def _asked(contract: HookContract, call: HookCall, text: str) -> dict[str, Any]:
    if not contract.can_ask:
        raise ValueError("these hooks cannot leave a decision to the user")
    match contract.answers:
        case AnswerFormat.GEMINI:
            return {"decision": "ask", "reason": text, "systemMessage": text}
        case AnswerFormat.CLAUDE | AnswerFormat.VSCODE | AnswerFormat.CURSOR:
            decision = {"permissionDecision": "ask", "permissionDecisionReason": text}
            return {"hookSpecificOutput": {"hookEventName": call.event, **decision}}
    assert_never(contract.answers)


def _with_context(contract: HookContract, call: HookCall, text: str) -> dict[str, Any]:
    match contract.answers:
        case AnswerFormat.CURSOR:
            return {"additional_context": text}
        case AnswerFormat.CLAUDE | AnswerFormat.VSCODE | AnswerFormat.GEMINI:
            nested = {"hookSpecificOutput": {"hookEventName": call.event, "additionalContext": text}}
            return {**nested, "additionalContext": text} if contract.answers is AnswerFormat.VSCODE else nested
    assert_never(contract.answers)


def _continued(contract: HookContract, call: HookCall, reason: str) -> dict[str, Any]:
    match contract.answers:
        case AnswerFormat.GEMINI:
            return {"decision": "deny", "reason": reason}
        case AnswerFormat.CURSOR:
            return {"followup_message": reason}
        case AnswerFormat.VSCODE:
            block = {"decision": "block", "reason": reason}
            return {**block, "hookSpecificOutput": {"hookEventName": call.event, **block}}
        case AnswerFormat.CLAUDE:
            return {"decision": "block", "reason": reason}
    assert_never(contract.answers)


def shorten(text: str) -> str:
    """Returns a text for an agent, truncated to `MAX_ANSWER_LENGTH` characters with a note that says so."""
    return text if len(text) <= MAX_ANSWER_LENGTH else text[: MAX_ANSWER_LENGTH - len(_CUT)] + _CUT
