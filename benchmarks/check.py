"""`python -m benchmarks.check`: what checking a folder of rule files costs, in processor time of one process.

Each file has conditions of its own, so that nothing that is remembered of one helps with another.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.conditions import conditions
from ttsr_ls.cli.main import main as ttsr_ls

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
        out = io.StringIO()
        began = time.process_time()
        with contextlib.redirect_stdout(out):
            ttsr_ls(["check", "--no-config", str(folder)])
        print(f"{FILES} files: {time.process_time() - began:.2f} s; {out.getvalue().splitlines()[-1]}")
        one = [process_seconds(folder / "rule-0000.md") for _ in range(RUNS)]
        print(f"1 file, with the start of the process: {1000 * sorted(one)[RUNS // 2]:.0f} ms")


def process_seconds(path: Path) -> float:
    """The processor time of a process that checks one file."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "ttsr_ls", "check", path], stdout=subprocess.DEVNULL, check=False)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


if __name__ == "__main__":
    main()
