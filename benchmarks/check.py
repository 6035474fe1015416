"""`python -m benchmarks.check`: what checking a folder of rule files costs, in processor time of whole processes.

Each file has conditions of its own, so that nothing that is remembered of one helps with another.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.conditions import conditions

FILES = 1000
RUNS = 7
_SCOPES = ("text", "tool:edit(*.ts), tool:write(*.ts)", "tool:bash", "text, thinking", "tool:edit(src/**/*.{py,pyi})")
_FILE = """\
---
description: A rule of the benchmark, number {number}.
condition:{listed}
scope: {scope}
---

Do not write this. Use what the project has for it, as the guide says in its chapter {number}.
"""


def write_rules(folder: Path, count: int) -> None:
    """Writes rule files, always the same ones."""
    sources = [source.replace("'", "''") for source in conditions(2 * count)]
    for number in range(count):
        # Most rules have one condition; here every third has two.
        own = sources[2 * number : 2 * number + (2 if number % 3 == 0 else 1)]
        listed = "".join(f"\n  - '{source}'" for source in own)
        text = _FILE.format(number=number, listed=listed, scope=_SCOPES[number % len(_SCOPES)])
        (folder / f"rule-{number:04}.md").write_text(text)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root, ".omp", "rules")
        folder.mkdir(parents=True)
        write_rules(folder, FILES)
        found = subprocess.run(_command(folder), capture_output=True, text=True, check=False).stdout.splitlines()[-1]
        # The least is what it takes; what comes on top is other work on the same cores.
        print(f"{FILES} files: {min(process_seconds(folder) for _ in range(RUNS)):.2f} s; {found}")
        one = min(process_seconds(folder / "rule-0000.md") for _ in range(RUNS))
        print(f"1 file: {1000 * one:.0f} ms")


def process_seconds(path: Path) -> float:
    """The processor time of a whole process that checks a file or folder."""
    before = os.times()
    subprocess.run(_command(path), stdout=subprocess.DEVNULL, check=False)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def _command(path: Path) -> list[str]:
    return [sys.executable, "-m", "ttsr_ls", "check", "--no-config", str(path)]


if __name__ == "__main__":
    main()
