"""`python -m benchmarks.worker CHECKOUT`: a process that measures the engine of one checkout.

Reads a request a line, `[function of benchmarks.feeding, arguments, keyword arguments]`, and writes a line with what
the function returns, all as JSON. The code of the benchmarks is always that of the program that was started.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Self

import msgspec

ROOT = Path(__file__).parents[1]


class Worker:
    """The other end of such a process, as a context manager. Raises `RuntimeError` where it dies."""

    def __init__(self, checkout: Path) -> None:
        self._checkout = checkout

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "benchmarks.worker", str(self._checkout)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, kind: Any, function: str, *arguments: object, **keywords: object) -> Any:
        """What `benchmarks.feeding.<function>` returns there, of the type `kind`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode([function, arguments, keywords]) + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the measuring process of {self._checkout} ended")
        return msgspec.json.decode(answer, type=kind)


def main() -> None:
    """Answers requests until standard input ends."""
    checkout = Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(checkout))
    import ttsr_ls
    from benchmarks import feeding

    if not Path(ttsr_ls.__file__).is_relative_to(checkout):
        sys.exit(f"{checkout} is not a checkout of ttsr-ls: it has no folder ttsr_ls")
    for line in sys.stdin:
        function, arguments, keywords = msgspec.json.decode(line)
        answer = getattr(feeding, function)(*arguments, **keywords)
        sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
