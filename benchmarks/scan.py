"""Times `scan` beside the reference's on a generated tree: `python -m benchmarks.scan [--omp OMP] [--files N]`.

Each whole command is timed, start of the process included, in both of its modes: what people read, for which the
reference looks less closely, and the report as JSON. The tree is in the cache of the disk after a first round.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import NamedTuple

from benchmarks.texts import code, prose

# Rules as a project has them: most are about files of one language, a few about all.
_RULES = {
    "any": ("condition: [': any\\b', '<any>']", "*.ts"),
    "as-any": ("astCondition: $A as any", "*.ts"),
    "console": ("astCondition: console.log($$$A)", "*.{js,tsx}"),
    "eval": ("condition: '\\beval\\s*\\('", "*.{js,ts,tsx}"),
    "bare-except": ("condition: '(?m)^[ \\t]*except[ \\t]*:'", "*.py"),
    "mutable-default": ("condition: 'def \\w+\\([^()]*=\\s*(?:\\[\\]|\\{\\})\\s*[,)]'", "*.py"),
    "print": ("astCondition: print($$$A)", "*.py"),
    "unwrap": ("condition: '\\.unwrap\\(\\)(?!;)'", "*.rs"),
    "panic": ("condition: '\\bpanic\\('", "*.go"),
    "todo": ("condition: '(?i)\\b(?:todo|fixme)\\b'", None),
    "secret": ("condition: '(?i)(?:secret|password)\\s*[:=]\\s*[''\"][A-Za-z0-9_-]{12,}'", None),
    "key": ("condition: 'AKIA[0-9A-Z]{16}'", None),
    "conflict": ("condition: '(?m)^<<<<<<< '", None),
    "moved": ("condition: '(?i)(?://|#)\\s*(?:\\.\\.\\.|…)\\s*(?:rest|existing)'", None),
    "url": ("condition: 'https?://localhost:\\d+'", None),
}
_SUFFIXES = ("ts", "ts", "ts", "py", "py", "go", "rs", "js", "tsx", "md", "json", "css", "png")


def plant(root: Path, count: int) -> Path:
    """A project with so many files, of 3 KB in the middle; one in twenty breaks some rule."""
    random, project = Random(1), root / "project"
    source, words = code(3_000_000, 7), prose(1_000_000, 8)
    folders = [f"{random.choice('abcdefgh')}/{random.choice('ijklmnop')}/{number}" for number in range(count // 25 + 1)]
    for number in range(count):
        suffix, size = random.choice(_SUFFIXES), int(min(100_000, random.lognormvariate(8, 1)))
        text = words if suffix == "md" else source
        start = random.randrange(len(text) - size)
        body = text[start : start + size]
        if random.random() < 0.05:
            body += random.choice(("\n// TODO: later\n", "\nlet a: any;\n", "\nprint(1)\n", "\nx = y as any;\n"))
        path = project / random.choice(folders) / f"f{number}.{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\0" + body.encode() if suffix == "png" else body.encode())
    (project / ".gitignore").write_text("dist/\n*.log\n")
    for name, (condition, glob) in _RULES.items():
        scope = "tool" if glob is None else f"'tool:edit({glob}), tool:write({glob})'"
        rule = project / ".omp" / "rules" / f"{name}.md"
        rule.parent.mkdir(parents=True, exist_ok=True)
        rule.write_text(f"---\n{condition}\nscope: {scope}\n---\nDo not.\n")
    (project / ".omp" / "config.yml").write_text("ttsr:\n  builtinRules: false\n")
    return project


class Cost(NamedTuple):
    """What one command took: by the clock, and of the processors, those of its child processes included."""

    clock: float
    processors: float


def cost(command: Sequence[str], project: Path) -> Cost:
    """Runs a command in the project."""
    environment = {**os.environ, "HOME": str(project.parent), "PYTHONPATH": str(Path(__file__).parents[1])}
    before, started = _used(), perf_counter()
    subprocess.run(command, cwd=project, env=environment, stdout=subprocess.DEVNULL, check=True)
    return Cost(perf_counter() - started, _used() - before)


def _used() -> float:
    used = os.times()
    return used.children_user + used.children_system


def compared(commands: Sequence[Sequence[str]], project: Path, rounds: int) -> list[Cost]:
    """The median cost of each command. They take turns, so that all meet the same machine; one round only warms up."""
    taken = [[cost(command, project) for command in commands] for _ in range(rounds + 1)][1:]
    return [
        Cost(median(each.clock for each in costs), median(each.processors for each in costs))
        for costs in zip(*taken, strict=True)
    ]


def main() -> None:
    """Plants, times and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--omp", help="the reference agent; without it, only ours is timed")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ttsr-scan-") as folder:
        project = plant(Path(folder).resolve(), args.files)
        print(f"{args.files} files, {len(_RULES)} rules; seconds by the clock, and of the processors")
        for options in ((), ("--json",)):
            commands = [[sys.executable, "-m", "ttsr_ls", "scan", "--exit-zero", *options]]
            if args.omp:
                commands.append([args.omp, "ttsr", "scan", *options])
            ours, *others = compared(commands, project, args.rounds)
            line = f"{' '.join(('scan', *options)):12} ours {ours.clock:6.2f} {ours.processors:6.2f}"
            for theirs in others:
                line += f"   reference {theirs.clock:6.2f} {theirs.processors:6.2f}"
                line += f"   ratio {theirs.clock / ours.clock:.1f} {theirs.processors / ours.processors:.1f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
