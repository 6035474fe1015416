"""Adds the hooks of ttsr-ls to the text of an agent's settings, and removes them. Pure.

Claude Code sends its hooks by HTTP. The others run a command for each, a shell script that is not a Python program.
"""

from __future__ import annotations

import copy
import json
import re
import shlex
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.adapters.wire_values import JsonObject
from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import LOOPBACK
from ttsr_ls.store.proxied_sessions import PROXY_VARIABLE
from ttsr_ls.syntax.settings_locations import CLAUDE_FOLDER, CODEX_FOLDER, GEMINI_FOLDER

CLIENT_NAME = "ttsr-hook"
"""The name of the script."""

_TIMEOUT = 5
_INDENT = re.compile(r'^([ \t]+)"', re.MULTILINE)
"""How the file indents the members of its outermost object."""

_START_TIMEOUT = 15
_JUDGE_TIMEOUT = 60
_ON_FAILURE = "onFailure"


class HookAddresses(Struct, frozen=True):
    """Where hooks go: `url` of the server without the agent, the path of the `client` script, and the command `ensure`
    that starts the server. `has_judge`: a judge model is named, so agents that can be woken ask for its verdicts.
    `fails_closed`: a tool call is denied if the server does not answer, in agents that can.
    """

    url: str
    client: str
    ensure: tuple[str, ...]
    has_judge: bool = False
    fails_closed: bool = False


class AgentHooks(Struct, frozen=True):
    """How hooks are installed for an agent.

    `user_file` and `project_file` are its settings, from the home folder and from the project; the latter is blank
    where the agent reads hooks of none that is kept out of the repository. `entries` makes the hooks by event.
    `after` says what the person has to do. `can_fail_closed`: the agent can deny a call whose hook failed.
    """

    title: str
    user_file: str
    project_file: str
    entries: Callable[[HookAddresses], dict[str, list[JsonObject]]]
    base: JsonObject = {}
    after: str = ""
    can_fail_closed: bool = False


def installed(text: str | None, hooks: AgentHooks, addresses: HookAddresses) -> str:
    """The settings `text` (None: there is no file) with the hooks. Raises UsageError for what is no JSON object."""
    if text is not None and is_installed(text, hooks, addresses):
        return text
    settings = {**hooks.base, **_without(_parsed(text), addresses)}
    events = settings.setdefault("hooks", {})
    for event, entries in hooks.entries(addresses).items():
        events[event] = [*_list(events.get(event)), *entries]
    return _written(settings, text)


def removed(text: str, addresses: HookAddresses) -> str:
    """The settings without the hooks. Raises UsageError for what is no JSON object."""
    return _written(_without(_parsed(text), addresses), text)


def without_hooks(text: str, hooks: AgentHooks) -> str | None:
    """The settings without hooks of any address or version, unchanged if there are none; None if nothing else is left.

    What is no JSON object is returned unchanged.
    """
    if not mentions_hooks(text):
        return text
    left = _without(_parsed(text), HookAddresses("", "", ()))
    return None if left in ({}, hooks.base) else _written(left, text)


def fails_closed(text: str) -> bool:
    """Whether the settings have hooks of ttsr-ls that deny a call if the server does not answer."""
    try:
        entries = _list(_parsed(text).get("hooks", {}).get("PreToolUse"))
    except UsageError:
        return False
    handlers = (handler for entry in entries if isinstance(entry, dict) for handler in _list(entry.get("hooks")))
    return any(_is_ours(handler) and handler.get(_ON_FAILURE) == "block" for handler in handlers)


def mentions_hooks(text: str) -> bool:
    """Whether the settings have some hook of ttsr-ls, of any address or version. False for what is no JSON object."""
    try:
        settings = _parsed(text)
    except UsageError:
        return False
    return _without(settings, HookAddresses("", "", ())) != settings


def is_installed(text: str | None, hooks: AgentHooks, addresses: HookAddresses) -> bool:
    """Whether the settings have all of the hooks as they are installed now."""
    try:
        events = _parsed(text).get("hooks")
    except UsageError:
        return False
    if not isinstance(events, dict):
        return False
    wanted = hooks.entries(addresses)
    return all(entry in _list(events.get(event)) for event, entries in wanted.items() for entry in entries)


def _parsed(text: str | None) -> JsonObject:
    if text is None or not text.strip():
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"these settings are not JSON: {error}; correct them first") from error
    if not isinstance(value, dict) or not isinstance(value.get("hooks", {}), dict):
        raise UsageError("these settings, or their `hooks`, are not a JSON object; correct them first")
    odd = [event for event, entries in value.get("hooks", {}).items() if not isinstance(entries, list)]
    if odd:
        raise UsageError(f"`hooks.{odd[0]}` of these settings is not a list; correct it first")
    return value


def _without(settings: JsonObject, addresses: HookAddresses) -> JsonObject:
    """The settings without hooks of ttsr-ls, including those of an earlier address or version."""
    left = copy.deepcopy(settings)
    events = left.get("hooks")
    if not isinstance(events, dict):
        return left
    for event in list(events):
        if not isinstance(events[event], list):
            continue
        kept = [left for entry in events[event] for left in _without_ours(entry)]
        if kept == events[event]:
            continue
        events[event] = kept
        if not kept:
            del events[event]
    if not events and settings["hooks"]:
        del left["hooks"]
    return left


def _without_ours(entry: Any) -> list[Any]:
    """An entry of an event without our handlers; nothing where nothing else was in it."""
    if _is_ours(entry):
        return []
    if not isinstance(entry, dict) or not isinstance(entry.get("hooks"), list):
        return [entry]
    kept = [handler for handler in entry["hooks"] if not _is_ours(handler)]
    if kept == entry["hooks"]:
        return [entry]
    return [{**entry, "hooks": kept}] if kept else []


def _is_ours(handler: Any) -> bool:
    if not isinstance(handler, dict):
        return False
    command, url = str(handler.get("command", "")), str(handler.get("url", ""))
    return (
        f"/{CLIENT_NAME}" in command
        or command.endswith("hooks ensure")
        or (url.startswith(f"http://{LOOPBACK}:") and url.endswith("/claude"))
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _written(settings: JsonObject, before: str | None) -> str:
    found = _INDENT.search(before or "")
    indent = found[1] if found else "  "
    return json.dumps(settings, indent=indent, ensure_ascii=False) + "\n"


def _ensure(addresses: HookAddresses) -> JsonObject:
    return {"type": "command", "command": shlex.join(addresses.ensure), "timeout": _START_TIMEOUT}


def _claude(addresses: HookAddresses) -> dict[str, list[JsonObject]]:
    handler = {"type": "http", "url": f"{addresses.url}/claude", "timeout": _TIMEOUT}
    entries: dict[str, list[JsonObject]] = {"SessionStart": [{"hooks": [_ensure(addresses)]}]}
    checking = {**handler, _ON_FAILURE: "block"} if addresses.fails_closed else handler
    entries["PreToolUse"] = [{"matcher": "*", "hooks": [checking]}]
    for event in ("PostToolUse", "PostToolUseFailure"):
        entries[event] = [{"matcher": "*", "hooks": [handler]}]
    for event in ("UserPromptSubmit", "Stop", "SubagentStop", "SessionEnd"):
        entries[event] = [{"hooks": [handler]}]
    client = f"{shlex.quote(addresses.client)} claude"
    # Instructions are loaded while the server starts.
    waiting = {"type": "command", "command": f"{client} wait", "timeout": _START_TIMEOUT}
    entries["InstructionsLoaded"] = [{"hooks": [waiting]}]
    if addresses.has_judge:
        judged = {"type": "command", "command": f"{client} judge", "timeout": _JUDGE_TIMEOUT, "asyncRewake": True}
        entries["Stop"].append({"hooks": [judged]})
        entries["PostToolUse"].append({"matcher": "*", "hooks": [judged]})
    return entries


def _codex(addresses: HookAddresses) -> dict[str, list[JsonObject]]:
    handler = {"type": "command", "command": f"{shlex.quote(addresses.client)} codex", "timeout": _TIMEOUT}
    entries: dict[str, list[JsonObject]] = {"SessionStart": [{"hooks": [_ensure(addresses)]}]}
    for event in ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"):
        entries[event] = [{"hooks": [handler]}]
    entries["SessionEnd"] = [{"hooks": [{**handler, "timeout": 3}]}]
    return entries


def _gemini(addresses: HookAddresses) -> dict[str, list[JsonObject]]:
    command = f"{shlex.quote(addresses.client)} gemini"
    handler = {"type": "command", "name": "ttsr-ls", "command": command, "timeout": _TIMEOUT * 1000}
    ensure = {**_ensure(addresses), "name": "ttsr-ls", "timeout": _START_TIMEOUT * 1000}
    entries: dict[str, list[JsonObject]] = {"SessionStart": [{"hooks": [ensure]}]}
    for event in ("BeforeTool", "AfterTool"):
        entries[event] = [{"matcher": "*", "hooks": [handler]}]
    for event in ("BeforeAgent", "AfterAgent", "SessionEnd"):
        entries[event] = [{"hooks": [handler]}]
    return entries


def _cursor(addresses: HookAddresses) -> dict[str, list[JsonObject]]:
    handler = {"command": f"{shlex.quote(addresses.client)} cursor"}
    tools = ("preToolUse", "postToolUse", "postToolUseFailure")
    events = ("beforeSubmitPrompt", *tools, "afterAgentResponse", "stop", "sessionEnd")
    return {"sessionStart": [{"command": shlex.join(addresses.ensure)}], **{event: [handler] for event in events}}


def _vscode(addresses: HookAddresses) -> dict[str, list[JsonObject]]:
    handler = {"type": "command", "command": f"{shlex.quote(addresses.client)} vscode", "timeout": _TIMEOUT}
    events = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStop")
    return {"SessionStart": [_ensure(addresses)], **{event: [handler] for event in events}}


AGENTS = {
    "claude": AgentHooks(
        "Claude Code",
        f"{CLAUDE_FOLDER}/settings.json",
        f"{CLAUDE_FOLDER}/settings.local.json",
        _claude,
        can_fail_closed=True,
    ),
    "codex": AgentHooks(
        "Codex",
        f"{CODEX_FOLDER}/hooks.json",
        "",
        _codex,
        after="Codex silently skips hooks until you trust them: run `codex`, then `/hooks`.",
    ),
    "gemini": AgentHooks("Gemini CLI", f"{GEMINI_FOLDER}/settings.json", "", _gemini),
    "cursor": AgentHooks("Cursor", ".cursor/hooks.json", "", _cursor, base={"version": 1}),
    "vscode": AgentHooks("VS Code", ".copilot/hooks/ttsr-ls.json", "", _vscode),
}
"""The agents whose hooks can be installed, by name."""


def client_script(url: str) -> str:
    """The script that sends the input of a hook to the server. It prints a message if the server does not answer."""
    return f"""\
#!/bin/sh
# Hands the input of an agent's hook to the hook server of ttsr-ls. Usage: {CLIENT_NAME} AGENT [judge | wait]
if [ "${{{PROXY_VARIABLE}:-}}" = "$1" ]; then  # The proxy observes and enforces this session.
  cat >/dev/null
  case $2 in '') printf '{{}}\\n' ;; esac
  exit 0
fi
send() {{ curl --silent --fail --noproxy '*' --data-binary @- "$@"; }}
case $2 in
judge)  # In the background. The exit status 2 wakes the agent with what the judge found.
  answer=$(send --max-time {_JUDGE_TIMEOUT} {shlex.quote(url)}/"$1"/judge) && [ -n "$answer" ] && {{
    printf '%s\n' "$answer" >&2
    exit 2
  }}
  exit 0 ;;
wait)  # The server may be starting.
  send --max-time {_START_TIMEOUT} --retry {_START_TIMEOUT} --retry-delay 1 --retry-connrefused {shlex.quote(url)}/"$1"
  exit 0 ;;
esac
answer=$(send --max-time {_TIMEOUT} {shlex.quote(url)}/"$1") && {{
  printf '%s\\n' "$answer"
  exit 0
}}
printf '%s\\n' '{{"systemMessage": "ttsr-ls: the hook server does not answer, so rules are off. Run: ttsr-ls doctor"}}'
"""
