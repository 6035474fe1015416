"""`ttsr-ls demo --editor`: plays the recorded run in a scratch project, for an editor that is open on it.

The files of the recorded agent are written to the project. Its corrections are left out, so that each trigger shows on
its rule, in its file, and in the transcript.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.bridge.adapters.player import RecordedLine, load_recording, play_recording
from ttsr_ls.cli.demo.recorded_run import RECORDED_FOLDER, RECORDING
from ttsr_ls.cli.demo.relocate_run import relocate_run
from ttsr_ls.cli.log_arguments import on_log_failure
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.watch.observation import Observation
from ttsr_ls.cli.watch.observing import new_session_log, observe
from ttsr_ls.errors import UsageError
from ttsr_ls.ide.scaffold import SCAFFOLDS
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.store.case_file_paths import case_file_of
from ttsr_ls.store.discovery.discovery import rules_in
from ttsr_ls.store.discovery.local_rules import load_rule
from ttsr_ls.store.discovery.shipped_rules import shipped_rules

RULES = SCAFFOLDS[0].folder
"""Where the reference agent reads rules."""
_CORRECTION = (2784, 5523)
"""When, in milliseconds, the recorded agent corrects its first file, which removes the matches of two rules."""


def show_in_editor(args: argparse.Namespace) -> int:
    """Writes the project, waits for Enter on a terminal, and plays the run. Raises UsageError."""
    folder = _empty_folder(args.editor)
    _write_rules(folder)
    display = one_line(str(folder))
    write_line(f"A project is in {display}. Open it in an editor with the plugin of ttsr-ls, and the view of runs:")
    write_line(f"  VS Code: code {display}")
    write_line("           then “TTSR: Show runs” in the command palette (F1);")
    write_line("           if it asks whether you trust the folder, either answer will do")
    write_line(f"  Neovim:  nvim {display}/{RULES}/py-no-bare-except.md")
    write_line("           then :Ttsr runs")
    if sys.stdin.isatty():
        write_line("Press Enter to let the agent begin.", flush=True)
        sys.stdin.readline()
    log = new_session_log(folder)
    observation = Observation(
        agent="claude",
        workspace=folder,
        rules=tuple(load_rule(rule.path, rule.provider).registration for rule in rules_in(folder / RULES, "native")),
        settings=Settings(),
        matching=Matching.STABLE,
        log=log,
        is_log_named=False,
        on_log_failure=on_log_failure(args),
        output=sys.stdout,
    )
    lines = relocate_run(str(folder), _without_correction(load_recording(RECORDING)), RECORDED_FOLDER)
    chunks = play_recording(lines, args.speed, time.monotonic, time.sleep)
    status = observe(observation, ClaudeAdapter(PurePath(folder)), _with_written_files(folder, chunks))
    write_line(f"The project stays in {display}; delete the folder when you do not need it any more.")
    return status


def _empty_folder(name: str) -> Path:
    """Creates the folder of the project. Raises UsageError if it is not empty."""
    folder = Path(name or tempfile.mkdtemp(prefix="ttsr-demo-")).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty; name an empty folder, or none")
        # Makes the folder a workspace of its own, also within another repository.
        (folder / ".git").mkdir()
    except OSError as error:
        raise UsageError(f"cannot create the project in {folder}: {error.strerror}") from error
    return folder


def _write_rules(folder: Path) -> None:
    rules = folder / RULES
    rules.mkdir(parents=True)
    for rule in rules_in(shipped_rules(), "shipped"):
        for path in (rule.path, case_file_of(rule.path)):
            if path is not None:
                shutil.copyfile(path, rules / path.name)


def _without_correction(recorded: tuple[RecordedLine, ...]) -> tuple[RecordedLine, ...]:
    """The recorded run without the correction."""
    first, last = _CORRECTION
    return tuple(
        line if line.time < first else RecordedLine(line.time - (last - first), line.data)
        for line in recorded
        if not first <= line.time <= last
    )


def _with_written_files(folder: Path, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yields the lines of the agent. Before a line with a call of Write, writes the file of the call."""
    for data in chunks:
        for call in _calls(json.loads(data)):
            path = folder / call["file_path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(call["content"], encoding="utf-8")
        yield data


def _calls(line: dict[str, Any]) -> list[dict[str, str]]:
    """The inputs of the complete calls of Write in a line of Claude Code."""
    content = line["message"]["content"] if line.get("type") == "assistant" else ()
    return [block["input"] for block in content if block.get("name") == "Write"]
