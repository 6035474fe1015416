"""Warns the user if a proxy enforces rules in the same session."""

from __future__ import annotations

import os
from pathlib import Path

from ttsr_ls.store.log.session_dirs import files_of_session, is_being_written, state_home, workspace_folder
from ttsr_ls.store.proxied_sessions import PROXY_VARIABLE


def proxy_warning(agent: str, session: str, workspace: str) -> str:
    """Returns a warning if a proxy records the session at this time; else blank."""
    logs = workspace_folder(state_home(os.environ, Path.home()), Path(workspace))
    # The log of the proxy has the name that `proxy.serving.open_sessions` gives it.
    if not any(map(is_being_written, files_of_session(logs, f"proxy-{session}"))):
        return ""
    return (
        "a proxy enforces rules in this session as well, so they count twice; set "
        f"{PROXY_VARIABLE}={agent} in the environment of the agent"
    )
