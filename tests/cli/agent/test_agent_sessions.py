"""The sessions in the documentation run as shown; `TTSR_UPDATE=1` writes them again."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from tests.cli.session_pages import Page, shortened

PAGES = sorted((Path(__file__).parents[3] / "docs" / "sessions").glob("*.md"))
EXPECTED = {"compaction", "deferred", "discard", "judged", "keep", "reminder", "resume", "tasks"}


def test_every_lifecycle_path_has_a_page() -> None:
    assert {page.stem for page in PAGES} >= EXPECTED


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_sessions_on_the_pages_run_as_shown(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Page(path, path.read_text())
    folder = tmp_path / "work"
    write(folder, dict(page.files))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    happened = []
    for transcript in page.transcripts:
        commands = page.commands(transcript)
        assert commands
        happened.append(shortened("".join(f"$ {line}\n{printed(capsys, line)}" for line in commands)))
    if os.environ.get("TTSR_UPDATE"):
        path.write_text(page.rewritten(happened))
    assert page.transcripts == happened


def printed(capsys: pytest.CaptureFixture[str], line: str) -> str:
    program, *args = shlex.split(line)
    if program == "cat":
        return "".join(Path(arg).read_text() for arg in args)
    assert program == "ttsr-ls"
    ran = ttsr_ls(capsys, *args)
    assert (ran.status, ran.err) == (0, "")
    return ran.out
