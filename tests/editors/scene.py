"""What the editors are shown: a broken rule, a rule that fires, and a recorded run in which it does."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bridge.adapters.claude_stream import Line, to_bytes
from tests.editors.probed import ROOT, Diagnostic
from tests.fork_server import program
from ttsr_ls.text import Encoding, LineIndex, Position

RECORDED = ROOT / "tests" / "samples" / "claude" / "print-partial.jsonl"
RECORDED_FOLDER = "/srv/agents/proj"

# One of each kind of trouble, with characters before it that are one, two and four bytes long and one or two units.
BROKEN = """\
---
description: "Löst 😀 aus"
condition:
  - '😀 (unclosed'
  - 'finished$'
  - '.*'
scope: prose, tool:edit(*.ts, text
interupt-mode: always
interruptMode: sometimes
---

Never say 😀 before the tests have passed.
"""

# The picture in the README: mistakes that people make, in a rule that somebody would write.
SHOWCASE = """\
---
description: Nothing is called done before its tests have passed.
condition:
  - "\\bdone\\b"
  - '(?i)everything works (now|again'
  - '(?i)all tests pass$'
scope: prose, tool:write(*.md)
interrupt_mode: always
---

Before you say that something is done, name the command that you ran and
what it printed. If the tests have not run, run them first.
"""

FIRING = """\
---
description: Nothing new uses the deprecated module.
condition: 'deprecated_module\\s'
scope:
  - tool:write(*.py)
---

Use the module's successor.
"""

TARGET = "import deprecated_module\n\ndef main():\n    print('hello')\n"

SEVERITIES = ("error", "warning", "info", "hint")


@dataclass(frozen=True, slots=True)
class Scene:
    """The workspace. `environment` is what every process that works on it must have."""

    folder: Path
    broken: Path
    firing: Path
    target: Path
    showcase: Path
    environment: dict[str, str]

    def check(self, path: Path) -> list[Any]:
        """What `ttsr-ls check` finds, as tuples that compare with `shown`."""
        done = self._run("check", "--format", "json", str(path))
        assert done.returncode in (0, 1), done.stderr
        return sorted(
            (load["code"], load["severity"], load["message"], _range(load["range"])) for load in json.loads(done.stdout)
        )

    def play(self, stream: str) -> None:
        """Has `ttsr-ls watch` follow a stream of an agent that works in the folder."""
        done = self._run("watch", "--from", "claude", "--cwd", str(self.folder), given=stream)
        assert done.returncode == 0, done.stderr

    @contextmanager
    def agent(self) -> Iterator[Callable[[list[Line]], None]]:
        """An agent that works in the folder, followed by `ttsr-ls watch`; the test says what it puts out next."""
        command = [*program("watch"), "--from", "claude", "--cwd", str(self.folder)]
        environment = {**os.environ, **self.environment, "PYTHONPATH": str(ROOT)}
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        with subprocess.Popen(command, cwd=self.folder, env=environment, stdin=pipe, stdout=nothing) as watching:
            assert watching.stdin is not None

            def put_out(lines: list[Line]) -> None:
                assert watching.stdin is not None
                watching.stdin.write(to_bytes(lines))
                watching.stdin.flush()

            yield put_out
            watching.stdin.close()

    def recorded_run(self) -> str:
        """The recorded run of a real agent, as it would have been in this folder."""
        return relocated(RECORDED.read_text(), RECORDED_FOLDER, str(self.folder))

    def _run(self, command: str, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **self.environment, "PYTHONPATH": str(ROOT)}
        return subprocess.run(
            [*program(command), *arguments],
            cwd=self.folder,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )


def make_scene(root: Path, home: Path | None = None) -> Scene:
    """Writes the workspace into an empty folder. The editor and `ttsr-ls` keep what is theirs in `home`, else there."""
    root.mkdir(exist_ok=True)
    home = home or root
    folder = root / "shop"
    rules = folder / ".omp" / "rules"
    rules.mkdir(parents=True)
    (folder / ".git").mkdir()
    scene = Scene(
        folder,
        rules / "broken.md",
        rules / "no-deprecated-module.md",
        folder / "demo.py",
        rules / "evidence-before-done.md",
        {"XDG_STATE_HOME": str(home / "state"), "HOME": str(home / "home"), "XDG_CONFIG_HOME": str(home / "config")},
    )
    (home / "home").mkdir(exist_ok=True)
    scene.broken.write_text(BROKEN)
    scene.firing.write_text(FIRING)
    scene.target.write_text(TARGET)
    scene.showcase.write_text(SHOWCASE)
    return scene


def shown(diagnostics: Iterable[Diagnostic]) -> list[Any]:
    """What VS Code shows, as tuples that compare with `Scene.check`."""
    return sorted(
        (found["code"], SEVERITIES[found["severity"]], found["message"], tuple(found["range"])) for found in diagnostics
    )


def shown_in_bytes(diagnostics: Iterable[Diagnostic], text: str) -> list[Any]:
    """What Neovim shows, whose columns are bytes and whose severities count from 1."""
    index = LineIndex(text)

    def units(line: int, column: int) -> tuple[int, int]:
        place = index.position(index.offset(Position(line, column), Encoding.UTF8), Encoding.UTF16)
        return place.line, place.character

    return sorted(
        (
            diagnostic["code"],
            SEVERITIES[diagnostic["severity"] - 1],
            diagnostic["message"],
            (*units(*diagnostic["byte_range"][:2]), *units(*diagnostic["byte_range"][2:])),
        )
        for diagnostic in diagnostics
    )


def relocated(stream: str, old: str, new: str) -> str:
    """A recorded stream in which a folder is another. It may be cut across the pieces of a tool's arguments."""
    events = [json.loads(line) for line in stream.splitlines()]
    pieces = [delta for event in events if (delta := _arguments_delta(event)) is not None]
    arguments = "".join(piece["partial_json"] for piece in pieces).replace(old, new)
    size = -(-len(arguments) // len(pieces))
    for number, piece in enumerate(pieces):
        piece["partial_json"] = arguments[number * size : (number + 1) * size]
    lines = [json.dumps(event) for event in events]
    return "\n".join(lines).replace(f"{old}/", f"{new}/") + "\n"


def _arguments_delta(event: dict[str, Any]) -> dict[str, Any] | None:
    delta = event.get("event", {}).get("delta", {}) if event.get("type") == "stream_event" else {}
    return delta if delta.get("type") == "input_json_delta" else None


def _range(found: dict[str, Any]) -> tuple[int, int, int, int]:
    start, end = found["start"], found["end"]
    return start["line"], start["character"], end["line"], end["character"]
