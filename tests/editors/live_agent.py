"""An agent that goes on while an editor is open: a recorded run that is fed to `ttsr-ls watch` in parts."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.editors.probed import PATIENCE, ROOT
from tests.editors.scene import Scene
from tests.fork_server import program


class LiveAgent:
    """The recorded run of `Scene.recorded_run`, under way."""

    def __init__(self, process: subprocess.Popen[str], lines: list[str]) -> None:
        self._process = process
        self._lines = lines

    def speak_until(self, text: str) -> None:
        """Puts out everything up to and with the next line that has `text`."""
        assert self._process.stdin is not None
        while True:
            line = self._lines.pop(0)
            self._process.stdin.write(line)
            if text in line:
                self._process.stdin.flush()
                return

    def finish(self) -> None:
        """Puts out the rest, and ends."""
        assert self._process.stdin is not None
        self._process.stdin.writelines(self._lines)
        self._process.stdin.close()
        assert self._process.wait(PATIENCE) == 0


@contextmanager
def live_agent(scene: Scene, stream: str | None = None) -> Iterator[LiveAgent]:
    """An agent in the scene's folder that has not said anything yet; it says the recorded run, or `stream`."""
    command = [*program("watch"), "--from", "claude", "--cwd", str(scene.folder)]
    environment = {**os.environ, **scene.environment, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=scene.folder, env=environment, stdin=pipe, stdout=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield LiveAgent(process, (stream or scene.recorded_run()).splitlines(keepends=True))
        finally:
            if process.poll() is None:
                process.kill()
