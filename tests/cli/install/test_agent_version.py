"""An agent's program that does not print its version is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttsr_ls.cli.install.agent_version import version_output


@pytest.mark.parametrize(
    ("does", "message"), [("exec yes", "prints more than 64 KiB"), ("sleep 300 & wait", "takes longer than 1 seconds")]
)
def test_a_program_that_prints_endlessly_or_hangs_is_killed(tmp_path: Path, does: str, message: str) -> None:
    program = tmp_path / "claude"
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    with pytest.raises((ValueError, TimeoutError), match=message):
        version_output(str(program), timeout=30.0 if "yes" in does else 1.0)
