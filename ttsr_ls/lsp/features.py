"""Which methods the server has. The handlers are in `methods`; this binds them to a server."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ttsr_ls.lsp.methods import (
    code_action,
    completion,
    diagnostic,
    did_change,
    did_change_configuration,
    did_change_watched_files,
    did_change_workspace_folders,
    did_close,
    did_open,
    execute_command,
    hover,
    initialize,
    initialized,
    ttsr_events,
    ttsr_open_files,
)
from ttsr_ls.lsp.server import Server

METHODS: tuple[ModuleType, ...] = (
    initialize,
    initialized,
    did_open,
    did_change,
    did_close,
    diagnostic,
    hover,
    completion,
    code_action,
    did_change_configuration,
    did_change_watched_files,
    did_change_workspace_folders,
)
# Our own, whose params are plain JSON.
CUSTOM_NOTIFICATIONS: dict[str, Callable[..., None]] = {
    ttsr_events.METHOD: ttsr_events.handle,
    ttsr_open_files.DID_OPEN: ttsr_open_files.did_open,
    ttsr_open_files.DID_CLOSE: ttsr_open_files.did_close,
}


def create_server() -> Server:
    """A server that is ready to be spoken to."""
    server = Server()
    for module in METHODS:
        server.feature(module.METHOD, getattr(module, "OPTIONS", None))(_bound(server, module.handle))
    for name, command in execute_command.COMMANDS.items():
        server.command(name)(_bound(server, command))
    for method, handler in CUSTOM_NOTIFICATIONS.items():
        server.protocol.add_custom_notification(method)
        server.feature(method)(_bound(server, handler))
    return server


def _bound(server: Server, handler: Callable[..., Any]) -> Callable[..., Any]:
    """A handler for one server, of the kind (coroutine or not) that pygls tells apart."""
    if inspect.iscoroutinefunction(handler):

        async def coroutine(*arguments: Any) -> Any:
            return await handler(server, *arguments)

        return coroutine

    def function(*arguments: Any) -> Any:
        return handler(server, *arguments)

    return function
