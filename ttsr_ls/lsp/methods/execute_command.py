"""`workspace/executeCommand`: the commands of this server."""

from __future__ import annotations

from typing import Any

from ttsr_ls.lsp import background, trial_command
from ttsr_ls.lsp.server import Server


async def test(server: Server, *arguments: object) -> dict[str, Any]:
    """Tries rules on a text; answers what fired, for programs and as a report for people."""
    request = trial_command.read_request(arguments)
    return await server.off_loop(trial_command.test, request, server.current)


async def clear_triggers(server: Server, *_: object) -> None:
    """Takes all triggers away until the next one."""
    for workspace, _ in server.board.runs:
        background.run_started(server, workspace)
