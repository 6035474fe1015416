"""A note about the call of a server tool whose result cannot be sent."""

from __future__ import annotations

from ttsr_ls.escaping import well_formed
from ttsr_ls.session.history.turn_output import ServerTool

_MAX_LENGTH = 200


def server_note(pair: ServerTool) -> str:
    """One line that names the tool and its arguments."""
    return well_formed(f"[used {pair.tool} {pair.arguments[:_MAX_LENGTH]}]")
