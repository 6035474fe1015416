"""A real Neovim says that the hook server was killed in the middle of a session of the real Claude Code."""

from __future__ import annotations

import json
import os
import signal
import subprocess

import pytest

from tests.editors.probed import ROOT, Editor
from tests.editors.scene import Scene
from tests.fork_server import program
from tests.loopback_ports import free_port
from tests.recorders.messages_server import MessagesServer, Text, ToolUse
from ttsr_ls.store.hook_server_file import hook_server_address

pytestmark = [
    pytest.mark.editor,
    pytest.mark.skipif(not os.environ.get("TTSR_CLAUDE"), reason="TTSR_CLAUDE names no Claude Code"),
]

# The plugin's messages, as soon as one has the text.
SAID = """
local found = ''
vim.wait(30000, function() found = vim.fn.execute('messages') return found:find(%s, 1, true) ~= nil end, 50)
return found
"""


def test_a_hook_server_that_is_killed_in_mid_session_is_reported(neovim: Editor, scene: Scene) -> None:
    environ = {**os.environ, **scene.environment, "PYTHONPATH": str(ROOT), "DISABLE_TELEMETRY": "1"}
    state = scene.environment["XDG_STATE_HOME"]
    hook_server_address(type(scene.folder)(state), free_port())

    def ours(command: str, *arguments: str) -> str:
        return subprocess.run(
            [*program(command), *arguments],
            cwd=scene.folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout

    neovim.ask("open", path=str(scene.firing))
    ours("install", "claude")
    call = ToolUse("Write", {"file_path": str(scene.folder / "b.py"), "content": "import deprecated_module \n"})
    model = MessagesServer([[Text("Ready.")], [call], [Text("Unprotected.")]], [], seed=3)
    environ |= {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "none"}
    command = [os.environ["TTSR_CLAUDE"], "-p", "--input-format", "stream-json", "--output-format", "stream-json"]
    prompt = json.dumps({"type": "user", "message": {"role": "user", "content": "Go"}}) + "\n"
    pipe = subprocess.PIPE
    try:
        with subprocess.Popen(
            [*command, "--verbose", "--permission-mode", "acceptEdits"],
            cwd=scene.folder, env=environ, stdin=pipe, stdout=pipe, text=True,
        ) as session:  # fmt: skip
            assert session.stdin is not None
            assert session.stdout is not None
            session.stdin.write(prompt)
            session.stdin.flush()
            assert any('"type":"result"' in line for line in session.stdout)
            os.kill(json.loads(ours("hooks", "status", "--json"))["state"]["pid"], signal.SIGKILL)
            said = neovim.ask("lua", code=SAID % "'Rules are off in claude: run `ttsr-ls hooks ensure`.'")
            assert "Rules are off in claude: run `ttsr-ls hooks ensure`." in said
            session.stdin.write(prompt)
            session.stdin.close()
            assert '"tag":"hook_no_verdict"' in session.stdout.read()
        # What the warning says: nothing was checked.
        assert (scene.folder / "b.py").exists()
        assert "calls were not checked until now" in json.loads(ours("hooks", "ensure"))["systemMessage"]
        said = neovim.ask("lua", code=SAID % "'The hook server runs again: rules are on.'")
        assert "The hook server runs again: rules are on." in said
    finally:
        model.close()
        ours("hooks", "stop")
