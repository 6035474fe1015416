"""Runs JavaScript engines as answering processes, and bounds the time that a pattern may take."""

from __future__ import annotations

import json
import select
import subprocess
from pathlib import Path
from types import TracebackType

SCRIPT = Path(__file__).with_name("regex_engine.mjs")
UNDECIDED = "?"
"""Stands for an answer that did not come in time."""

Answer = list[int] | str | None
"""The first match as [index, end], None where there is none, or `UNDECIDED`."""


class Engine:
    """One JavaScript engine. A process that takes too long is killed, and the next question starts another."""

    def __init__(self, executable: str, seconds_a_pattern: float, seconds_a_subject: float) -> None:
        self._executable = executable
        self._seconds_a_pattern = seconds_a_pattern
        self._seconds_a_subject = seconds_a_subject
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def versions(self) -> dict[str, str]:
        """The versions that the engine reports."""
        script = "console.log(JSON.stringify(process.versions))"
        printed = subprocess.run([self._executable, "-e", script], capture_output=True, check=True)
        versions: dict[str, str] = json.loads(printed.stdout)
        return versions

    def matches(self, source: str, flags: str, subjects: list[str]) -> list[Answer] | None:
        """What the pattern matches in each subject, or None where it is invalid."""
        answers = self._ask(source, flags, subjects, self._seconds_a_pattern)
        if answers != UNDECIDED:
            assert answers is None or isinstance(answers, list)
            return answers
        return [self._one(source, flags, subject) for subject in subjects]

    def _one(self, source: str, flags: str, subject: str) -> Answer:
        answers = self._ask(source, flags, [subject], self._seconds_a_subject)
        return answers[0] if isinstance(answers, list) else UNDECIDED

    def _ask(self, source: str, flags: str, subjects: list[str], seconds: float) -> list[Answer] | str | None:
        if self._process is None:
            self._process = subprocess.Popen(
                [self._executable, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        request = json.dumps({"source": source, "flags": flags, "subjects": subjects})
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(request.encode() + b"\n")
        stdin.flush()
        ready, _, _ = select.select([stdout], [], [], seconds)
        if not ready:
            self._stop()
            return UNDECIDED
        line = stdout.readline()
        if not line:
            raise RuntimeError(f"{self._executable} died of {request[:200]}")
        answers: list[Answer] | None = json.loads(line)
        return answers

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
