"""Records what real editors say of themselves in `initialize`, as tests/vectors/editor_capabilities.json.

    TTSR_NVIM=… TTSR_CODE_SERVER=… TTSR_CHROMIUM=… python -m tests.recorders.record_editor_capabilities

Each editor is given a program that keeps a copy of what it is sent and then is `ttsr-ls`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.editors.neovim import open_neovim
from tests.editors.probed import ROOT, Editor, server_program
from tests.editors.scene import Scene, make_scene
from tests.editors.vscode_window import open_vscode

VECTORS = ROOT / "tests" / "vectors" / "editor_capabilities.json"


def main() -> int:
    """Records both editors."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        scene = make_scene(root / "neovim")
        program, kept = _listening_program(root / "neovim")
        with open_neovim(scene.folder, root / "neovim", scene.environment, program) as editor:
            neovim = _initialize(editor, scene, kept)
        scene = make_scene(root / "vscode")
        program, kept = _listening_program(root / "vscode")
        (root / "cache").mkdir()
        with open_vscode(root / "cache", root / "vscode", scene.environment, program) as code:
            vscode = _initialize(code.window(scene.folder), scene, kept)
    recorded = {
        "provenance": "the first message that each editor sent to the server; see the recorder of the same name",
        "neovim": neovim,
        "vscode": vscode,
    }
    VECTORS.write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n")
    return 0


def _listening_program(scratch: Path) -> tuple[Path, Path]:
    kept = scratch / "sent"
    program = scratch / "listening"
    program.write_text(f'#!/bin/sh\ntee "{kept}" | "{server_program(scratch)}" "$@"\n')
    program.chmod(0o755)
    return program, kept


def _initialize(editor: Editor, scene: Scene, kept: Path) -> dict[str, Any]:
    editor.ask("open", path=str(scene.broken))
    editor.wait_for(scene.broken, bool)
    head, _, rest = kept.read_bytes().partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
    params = json.loads(rest[:length])["params"]
    return {"clientInfo": params["clientInfo"], "capabilities": params["capabilities"]}


if __name__ == "__main__":
    sys.exit(main())
