"""Adds the hooks of ttsr-ls to the text of an agent's settings, and removes them. Pure."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ttsr_ls.bridge.agent_hooks.client.client_script import CLIENT_NAME
from ttsr_ls.bridge.agent_hooks.client.failure_header import FAILURE_HEADER
from ttsr_ls.bridge.agent_hooks.hooked_agents import BLOCK, CLOSED, ON_FAILURE, AgentHooks, HookAddresses
from ttsr_ls.bridge.agent_hooks.settings_text import read_settings, rewritable_settings, written_settings
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import LOOPBACK


def add_hooks(text: str | None, hooks: AgentHooks, addresses: HookAddresses) -> str:
    """Returns the settings `text` (None: there is no file) with the hooks.

    Raises UsageError for settings that are not a JSON object, that the agent does not read, or that lose something when
    rewritten.
    """
    is_complete = text is not None and is_installed(text, hooks, addresses) and not repeated_events(text)
    if text is not None and is_complete and hooks.accepted.reads(text):
        return text
    settings = {**hooks.base, **_without(rewritable_settings(text, hooks.accepted, hooks.title))}
    events = dict(settings.get("hooks", {}))
    for event, entries in hooks.entries(addresses).items():
        events[event] = [*_list(events.get(event)), *entries]
    return written_settings({**settings, "hooks": events}, text)


def remove_hooks(text: str, hooks: AgentHooks) -> str:
    """The settings without the hooks. Raises UsageError as `add_hooks` does."""
    return written_settings(_without(rewritable_settings(text, hooks.accepted, hooks.title)), text)


def without_hooks(text: str, hooks: AgentHooks) -> str | None:
    """The settings without hooks of any address or version, unchanged if there are none; None if nothing else is left.

    A text that is not a JSON object is returned unchanged. Raises UsageError for hooks in a text that cannot be
    rewritten.
    """
    if not mentions_hooks(text):
        return text
    left = _without(rewritable_settings(text, hooks.accepted, hooks.title))
    return None if left in ({}, hooks.base) else written_settings(left, text)


def fails_closed(text: str) -> bool:
    """Returns whether the settings have hooks of ttsr-ls that deny a call if the server does not answer."""
    try:
        events = read_settings(text).get("hooks", {})
    except UsageError:
        return False
    entries = [entry for event in events.values() for entry in event if isinstance(entry, dict)]
    handlers = [*entries, *(handler for entry in entries for handler in _list(entry.get("hooks")))]
    return any(is_our_handler(handler) and _denies_on_failure(handler) for handler in handlers)


def _denies_on_failure(handler: JsonObject) -> bool:
    return handler.get(ON_FAILURE) == BLOCK or str(handler.get("command", "")).endswith(CLOSED)


def mentions_hooks(text: str) -> bool:
    """Returns whether the settings have some hook of ttsr-ls, of any address or version. False if they are not JSON."""
    try:
        settings = read_settings(text)
    except UsageError:
        return False
    events = settings.get("hooks", {}).values()
    return any(_has_ours(entry) for entries in events for entry in entries)


def hook_events(text: str | None) -> tuple[str, ...]:
    """Returns the event of each hook of ttsr-ls in the settings. Raises UsageError as `read_settings` does."""
    return tuple(event for event, _ in _our_handlers(text))


def repeated_events(text: str) -> tuple[str, ...]:
    """Returns the events that have an equal hook of ttsr-ls more than once. Raises UsageError as `read_settings`
    does."""
    # Compared as texts, which is linear: settings of a repository may have thousands of handlers.
    handlers = Counter((event, json.dumps(handler, sort_keys=True)) for event, handler in _our_handlers(text))
    return tuple(dict.fromkeys(event for (event, _), number in handlers.items() if number > 1))


def _our_handlers(text: str | None) -> Iterator[tuple[str, JsonObject]]:
    for event, entries in read_settings(text).get("hooks", {}).items():
        for entry in entries:
            for handler in _list(entry.get("hooks")) or [entry] if isinstance(entry, dict) else []:
                if is_our_handler(handler):
                    yield event, handler


def is_installed(text: str | None, hooks: AgentHooks, addresses: HookAddresses) -> bool:
    """Returns whether the settings have all of the hooks as they are installed now."""
    try:
        events = read_settings(text).get("hooks")
    except UsageError:
        return False
    if not isinstance(events, dict):
        return False
    wanted = hooks.entries(addresses)
    return all(entry in _list(events.get(event)) for event, entries in wanted.items() for entry in entries)


def differences(text: str, hooks: AgentHooks, addresses: HookAddresses) -> tuple[str, ...]:
    """Returns how settings with some of our hooks differ from those that are installed now, by event.

    Empty for settings without any. Raises UsageError as `read_settings` does.
    """
    if not mentions_hooks(text):
        return ()
    events = read_settings(text).get("hooks", {})
    return tuple(
        f"{event} {_difference(entry, _list(events.get(event)))}"
        for event, entries in hooks.entries(addresses).items()
        for entry in entries
        if entry not in _list(events.get(event))
    )


def _difference(wanted: JsonObject, found: list[Any]) -> str:
    """Describes how the entries `found` of an event differ from the entry `wanted`."""
    ours = [entry for entry in found if _has_ours(entry)]
    if not ours:
        return "is missing"
    for entry in ours:
        if {**entry, "matcher": ""} == {**wanted, "matcher": ""}:
            return f"has the matcher `{entry.get('matcher', '')}`"
    (handler,) = wanted.get("hooks", (wanted,))
    others = [other for entry in ours for other in _list(entry.get("hooks")) or [entry] if is_our_handler(other)]
    nearest = max(others, key=lambda other: sum(other.get(key) == value for key, value in handler.items()))
    return " and ".join(_different_keys(handler, nearest)) or "stands in a group with other hooks"


def _different_keys(wanted: JsonObject, found: JsonObject) -> Iterator[str]:
    """Describes the differences between two handlers, without their tokens."""
    for key in dict.fromkeys((*wanted, *found)):
        value, other = wanted.get(key), found.get(key)
        if value == other:
            continue
        match key:
            case "url":
                ports = _PORT.findall(f"{other} {value}")
                is_port = len(ports) == 2 and ports[0] != ports[1]
                yield f"sends to port {ports[0]} instead of {ports[1]}" if is_port else "has another address"
            case "headers":
                yield _different_headers(value, other)
            case "timeout":
                yield f"has {_describe_value('timeout', other)} instead of {value}"
            case _:
                yield f"has {_describe_value(key, other)}" if other is not None else f"lacks `{key}`"


def _different_headers(wanted: Any, found: Any) -> str:
    if isinstance(found, dict) and isinstance(wanted, dict):
        without_mode, wanted_without_mode = ({**each, FAILURE_HEADER: ""} for each in (found, wanted))
        if without_mode == wanted_without_mode:
            return f"{'lacks' if FAILURE_HEADER in wanted else 'has'} the header `{FAILURE_HEADER}`"
    return "has another token than the hook server"


def _describe_value(key: str, value: Any) -> str:
    text = str(value)
    shown = text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "…"
    return f"no {key}" if value is None else f"the {key} `{shown}`"


_PORT = re.compile(r":(\d+)/")
_MAX_SHOWN = 120


def _without(settings: JsonObject) -> JsonObject:
    """Returns the settings without hooks of ttsr-ls, including those of an earlier address or version.

    The remaining values are shared with `settings`, not copied, because they may be large.
    """
    events = settings.get("hooks")
    if not isinstance(events, dict):
        return settings
    kept_events = {}
    for event, entries in events.items():
        if not any(map(_has_ours, _list(entries))):
            kept_events[event] = entries
            continue
        kept = [left for entry in entries for left in _without_ours(entry)]
        if kept:
            kept_events[event] = kept
    if events and not kept_events:
        return {key: value for key, value in settings.items() if key != "hooks"}
    return {**settings, "hooks": kept_events}


def _without_ours(entry: Any) -> list[Any]:
    """Returns an entry of an event without our handlers; an empty list if no other handler remains."""
    if not _has_ours(entry):
        return [entry]
    kept = [] if is_our_handler(entry) else [handler for handler in entry["hooks"] if not is_our_handler(handler)]
    return [{**entry, "hooks": kept}] if kept else []


def _has_ours(entry: Any) -> bool:
    """True if an entry of an event is one of our handlers, or has one."""
    return is_our_handler(entry) or (isinstance(entry, dict) and any(map(is_our_handler, _list(entry.get("hooks")))))


def is_our_handler(handler: Any) -> bool:
    """True if a handler of an agent's hooks is one of ttsr-ls, of any address or version."""
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
