"""The agents whose hooks can be installed: their settings files, and the hooks that each of them gets. Pure.

Claude Code calls its hooks by HTTP. The others run a command for each: a shell script, which starts faster than Python.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable

from msgspec import Struct

from ttsr_ls.bridge.agent_hooks.client.client_script import HOOK_TIMEOUT, JUDGE_TIMEOUT, START_TIMEOUT
from ttsr_ls.bridge.agent_hooks.client.failure_header import FAILURE_DENIES, FAILURE_HEADER
from ttsr_ls.bridge.agent_hooks.settings_text import AcceptedJson
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.syntax.settings_locations import CLAUDE_FOLDER, CODEX_FOLDER, GEMINI_FOLDER

ON_FAILURE, BLOCK = "onFailure", "block"
"""The key of a hook of Claude Code for the effect of a failing hook, and its value that denies the call."""
CLOSED = " closed || exit 2"
"""The end of a command that denies the call if the server does not answer, or if the client script is missing."""


class HookAddresses(Struct, frozen=True):
    """The server that hooks report to, and the programs that they run.

    `url` is that of the server without the agent. `authorization` is the header of requests to it, blank in hooks of
    earlier versions, whose `url` has the token. `client` is the path of the script, `ensure` the command that starts
    the server. `has_judge`: a judge model is configured, so agents that can be woken get a judge hook.
    `fails_closed`: a tool call is denied if the server does not answer, or cannot match it completely.
    """

    url: str
    authorization: str
    client: str
    ensure: tuple[str, ...]
    has_judge: bool = False
    fails_closed: bool = False


class AgentHooks(Struct, frozen=True):
    """The way in which hooks are installed for an agent.

    `user_file` and `project_file` are its settings files, relative to the home folder and to the project; the latter is
    blank if the agent reads no uncommitted settings in projects. `shared_file` is the project's committed settings
    file, or blank; no hooks are installed there, but it can switch hooks off. `entries` returns the hooks by event.
    `after` says what the user has to do. `accepted` is the kind of JSON that the agent reads.
    """

    title: str
    user_file: str
    project_file: str
    entries: Callable[[HookAddresses], dict[str, list[JsonObject]]]
    accepted: AcceptedJson = AcceptedJson.STRICT
    base: JsonObject = {}
    after: str = ""
    shared_file: str = ""
    folder_variable: str = ""
    """The environment variable that names another folder for `user_file`; blank if there is none."""


def _ensure(addresses: HookAddresses) -> JsonObject:
    return {"type": "command", "command": shlex.join(addresses.ensure), "timeout": START_TIMEOUT}


def _commands(agent: str, addresses: HookAddresses) -> tuple[str, str]:
    """The command of a hook, and that of the hook before a tool call."""
    command = f"{shlex.quote(addresses.client)} {agent}"
    return command, command + CLOSED if addresses.fails_closed else command


def _claude(addresses: HookAddresses) -> dict[str, list[JsonObject]]:
    # The token is in a header, because Claude Code prints the URL of a failing hook.
    headers = {"Authorization": addresses.authorization} if addresses.authorization else {}
    own_headers = {"headers": headers} if headers else {}
    handler = {"type": "http", "url": f"{addresses.url}/claude", **own_headers, "timeout": HOOK_TIMEOUT}
    entries: dict[str, list[JsonObject]] = {"SessionStart": [{"hooks": [_ensure(addresses)]}]}
    checking = handler
    if addresses.fails_closed:
        checking = {**handler, "headers": {**headers, FAILURE_HEADER: FAILURE_DENIES}, ON_FAILURE: BLOCK}
    entries["PreToolUse"] = [{"matcher": "*", "hooks": [checking]}]
    for event in ("PostToolUse", "PostToolUseFailure"):
        entries[event] = [{"matcher": "*", "hooks": [handler]}]
    for event in ("UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd"):
        entries[event] = [{"hooks": [handler]}]
    client = f"{shlex.quote(addresses.client)} claude"
    # Instructions are loaded while the server starts, so this hook waits for it.
    waiting = {"type": "command", "command": f"{client} wait", "timeout": START_TIMEOUT}
    entries["InstructionsLoaded"] = [{"hooks": [waiting]}]
    if addresses.has_judge:
        judgement = {"type": "command", "command": f"{client} judge", "timeout": JUDGE_TIMEOUT, "asyncRewake": True}
        entries["Stop"].append({"hooks": [judgement]})
        entries["PostToolUse"].append({"matcher": "*", "hooks": [judgement]})
    return entries


def _codex(addresses: HookAddresses) -> dict[str, list[JsonObject]]:
    command, checking = _commands("codex", addresses)
    handler = {"type": "command", "command": command, "timeout": HOOK_TIMEOUT}
    entries: dict[str, list[JsonObject]] = {"SessionStart": [{"hooks": [_ensure(addresses)]}]}
    for event in ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStop"):
        entries[event] = [{"hooks": [handler]}]
    entries["PreToolUse"] = [{"hooks": [{**handler, "command": checking}]}]
    entries["SessionEnd"] = [{"hooks": [{**handler, "timeout": 3}]}]
    return entries


def _gemini(addresses: HookAddresses) -> dict[str, list[JsonObject]]:
    command, checking = _commands("gemini", addresses)
    handler = {"type": "command", "name": "ttsr-ls", "command": command, "timeout": HOOK_TIMEOUT * 1000}
    ensure = {**_ensure(addresses), "name": "ttsr-ls", "timeout": START_TIMEOUT * 1000}
    entries: dict[str, list[JsonObject]] = {"SessionStart": [{"hooks": [ensure]}]}
    entries["BeforeTool"] = [{"matcher": "*", "hooks": [{**handler, "command": checking}]}]
    entries["AfterTool"] = [{"matcher": "*", "hooks": [handler]}]
    for event in ("BeforeAgent", "AfterAgent", "SessionEnd"):
        entries[event] = [{"hooks": [handler]}]
    return entries


def _cursor(addresses: HookAddresses) -> dict[str, list[JsonObject]]:
    command, checking = _commands("cursor", addresses)
    handler: JsonObject = {"command": command}
    before = {"command": checking, "failClosed": True} if addresses.fails_closed else handler
    tools = ("preToolUse", "postToolUse", "postToolUseFailure")
    events = ("beforeSubmitPrompt", *tools, "afterAgentResponse", "stop", "sessionEnd")
    entries = {"sessionStart": [{"command": shlex.join(addresses.ensure)}], **{event: [handler] for event in events}}
    return {**entries, "preToolUse": [before]}


def _vscode(addresses: HookAddresses) -> dict[str, list[JsonObject]]:
    command, checking = _commands("vscode", addresses)
    handler = {"type": "command", "command": command, "timeout": HOOK_TIMEOUT}
    # Only Copilot CLI, which reads the same file, calls the last two.
    events = (
        *("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStop"),
        *("PostToolUseFailure", "SessionEnd"),
    )
    entries = {"SessionStart": [_ensure(addresses)], **{event: [handler] for event in events}}
    return {**entries, "PreToolUse": [{**handler, "command": checking}]}


AGENTS = {
    "claude": AgentHooks(
        "Claude Code",
        f"{CLAUDE_FOLDER}/settings.json",
        f"{CLAUDE_FOLDER}/settings.local.json",
        _claude,
        accepted=AcceptedJson.WITH_MARK,
        shared_file=f"{CLAUDE_FOLDER}/settings.json",
        folder_variable="CLAUDE_CONFIG_DIR",
    ),
    "codex": AgentHooks(
        "Codex",
        f"{CODEX_FOLDER}/hooks.json",
        "",
        _codex,
        folder_variable="CODEX_HOME",
        after="Codex silently skips hooks until you trust them: run `codex`, then `/hooks`.",
    ),
    "gemini": AgentHooks(
        "Gemini CLI", f"{GEMINI_FOLDER}/settings.json", "", _gemini, accepted=AcceptedJson.WITH_COMMENTS
    ),
    "cursor": AgentHooks("Cursor", ".cursor/hooks.json", "", _cursor, base={"version": 1}),
    "vscode": AgentHooks(
        "VS Code", ".copilot/hooks/ttsr-ls.json", "", _vscode, accepted=AcceptedJson.WITH_COMMENTS_AND_COMMAS
    ),
}
"""The agents whose hooks can be installed, by name."""
