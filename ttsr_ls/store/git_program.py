"""Runs git with limits on time and output. Every failure is a `GitError`."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from shutil import which

from ttsr_ls.errors import TtsrError
from ttsr_ls.escaping import one_line

GIT_SECONDS = 120.0
"""The time limit of a run of git."""

_HASH = re.compile(rb"[0-9a-f]{40,64}")

_MAX_OUTPUT = 256 * 1024 * 1024


class GitError(TtsrError):
    """Running git failed, or its answer is unknown. The message says why, and what to do."""


def run_git(folder: Path, *arguments: str, accepts: tuple[int, ...] = (0,)) -> bytes:
    """Runs git and returns its output. Raises GitError, also for an exit status that is not in `accepts`."""
    process = start_git(folder, *arguments)
    try:
        out, err = process.communicate(timeout=GIT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise GitError(f"git {arguments[0]} took more than {GIT_SECONDS:.0f} seconds") from None
    if process.returncode not in accepts:
        if b"not a git repository" in err:
            raise GitError(f"{one_line(str(folder))} is not in a git repository; run this in a folder that is")
        reason = one_line(err.decode("utf-8", "replace").strip().partition("\n")[0]) or f"status {process.returncode}"
        raise GitError(f"git {arguments[0]} failed: {reason}")
    if len(out) > _MAX_OUTPUT:
        raise GitError(f"git {arguments[0]} says more than {_MAX_OUTPUT // 1024 // 1024} MiB; name fewer files")
    return out


def start_git(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Starts git with pipes. Raises GitError."""
    program = which("git")
    if program is None:
        raise GitError("git cannot be started: no folder of PATH has it")
    environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    environment.pop("GIT_DIFF_OPTS", None)  # It takes precedence over `--unified` in the arguments.
    try:
        return subprocess.Popen(
            [program, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if arguments[0] != "cat-file" else subprocess.DEVNULL,
        )
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}") from error


def commit_of(folder: Path, revision: str) -> str:
    """Returns the hash of the commit that a revision names. Raises GitError."""
    display = one_line(revision)
    if not revision or "\0" in revision:
        raise GitError("the name of the revision is empty, or has a NUL")
    run_git(folder, "rev-parse", "--git-dir")
    output = run_git(
        folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", accepts=(0, 1, 128)
    )
    if _HASH.fullmatch(output.strip()) is None:  # git also answers `^HEAD`, which excludes a commit.
        raise GitError(f"git knows no commit '{display}' here; in CI, fetch it first (a shallow clone may lack it)")
    return output.strip().decode()
