"""A home with hooks: its hook server, its agents' programs, and the doctor in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from ttsr_ls.cli.hooks.starting import server_state
from ttsr_ls.store.hook_server_file import HookServerAddress


def start(address: HookServerAddress) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "ttsr_ls", "hooks", "serve"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert server.stdout is not None
    assert b"Serving hooks" in server.stdout.readline()
    assert server_state(address) is not None
    return server


def fake_program(path: Path, version: str) -> None:
    path.write_text(f"#!/bin/sh\necho '{version}'\n")
    path.chmod(0o755)


def doctor(capsys: pytest.CaptureFixture[str], *agents: str) -> tuple[int, str]:
    ran = ttsr_ls(capsys, "doctor", "--no-agent", *agents)
    return ran.status, ran.out


def copied_state(home: Path) -> Path:
    """A state folder of its own: a server whose stored address changes ends."""
    state = home / "state"
    served = state.readlink()
    state.unlink()
    shutil.copytree(served, state, ignore=shutil.ignore_patterns("*.sock", "*.lock"))
    return state
