"""`workspace/executeCommand`: the commands of this server."""

from __future__ import annotations

from typing import Any

from ttsr_ls.lsp import trial_command
from ttsr_ls.lsp.runs import run_commands, run_recording, shown_runs
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.window import documentation as manual


async def test(server: Server, *arguments: object) -> dict[str, Any]:
    """Tries rules on a text; returns the rules that fired, as JSON and as a report for users."""
    request = trial_command.parse_trial_argument(arguments)
    return await server.off_loop_first(trial_command.test, request, server.current)


async def clear_triggers(server: Server, *_: object) -> None:
    """Removes all current triggers permanently; later ones are shown."""
    await shown_runs.clear_all(server)


async def runs(server: Server, *_: object) -> dict[str, Any]:
    """The sessions of agents, with their turns and triggers."""
    return await run_commands.runs(server)


async def transcript(server: Server, *arguments: object) -> dict[str, Any]:
    """The transcript of a session, or its new lines."""
    return run_commands.transcript(server, arguments)


async def silence(server: Server, *arguments: object) -> None:
    """Silences the messages of a rule in a session and in all windows, or ends that."""
    await run_commands.silence(server, arguments)


async def clear_runs(server: Server, *_: object) -> None:
    """Removes the sessions whose agent is not working: neither a restart nor another window shows them again."""
    await run_recording.clear_finished(server)


async def documentation(server: Server, *arguments: object) -> dict[str, Any]:
    """A page of the manual."""
    return await server.run_in_thread(manual.documentation, arguments)


async def show_documentation(server: Server, *arguments: object) -> None:
    """Requests the client to open the page of a finding."""
    await manual.show(server, arguments)
