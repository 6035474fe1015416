"""`python -m benchmarks.replay [PATH ...]`: how fast `ttsr-ls replay` reads histories of agents, for each kind of them.

The histories are those in the paths, by default the samples of the tests, each repeated under different session ids.
The limit applies to what agents keep on the disk, without opencode's database. Captured streams have a line for each
few characters, and logs of short sessions one for each few words: what they cost is counted in lines and blocks, not
in bytes. All figures are user processor time of one process, the least of several runs; `json` is a pass that only
decodes the same lines with the standard library, in the same run.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.histories import SAMPLES, History, histories
from benchmarks.real_conditions import real_conditions
from ttsr_ls.cli.replay.replaying import ReplayedFile, RuleSource, replay_file

_MIN_SPEED = 30.0
_MEGABYTE = 1_000_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[SAMPLES], metavar="PATH")
    parser.add_argument("--rules", type=int, default=100)
    parser.add_argument("--megabytes", type=float, default=4.0, help="size of the histories of each kind (default: 4)")
    parser.add_argument("--file", type=int, default=400, metavar="KB", help="size of a file, in KB (default: 400)")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ttsr-bench-") as created:
        folder = Path(created)
        source = _rules(folder / "project", arguments.rules)
        found = histories(arguments.paths, folder, arguments.megabytes, arguments.file)
        print(f"{arguments.rules} rules; user processor time, the least of {arguments.runs} runs\n")
        print("| history | files | MB | triggers | json MB/s | replay MB/s | replay / json |")
        print("| --- |" + " ---: |" * 6)
        kept, streamed = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        for history in found:
            decoding, replaying, triggers = _measured(history, source, arguments.runs)
            megabytes = history.size / _MEGABYTE
            totals = kept if history.is_kept else streamed
            totals[:] = [total + part for total, part in zip(totals, (megabytes, decoding, replaying), strict=True)]
            name = f"{history.source}, kept" if history.is_kept else history.source
            print(_row(name, len(history.files), megabytes, triggers, decoding, replaying), flush=True)
    for name, (megabytes, decoding, replaying) in (("kept by agents", kept), ("others", streamed)):
        if megabytes:
            print(_row(name, 0, megabytes, 0, decoding, replaying))
    if kept[0]:
        verdict = "kept" if kept[0] / kept[2] >= _MIN_SPEED else "BROKEN"
        print(f"\nLimit of {_MIN_SPEED:.0f} MB/s a core over what agents keep: {verdict}")


def _row(name: str, files: int, megabytes: float, triggers: int, decoding: float, replaying: float) -> str:
    speeds = f"{megabytes / decoding:.0f} | {megabytes / replaying:.0f} | {replaying / decoding:.2f}"
    return f"| {name} | {files or ''} | {megabytes:.1f} | {triggers or ''} | {speeds} |"


def _measured(history: History, source: RuleSource, runs: int) -> tuple[float, float, int]:
    """Seconds of decoding and of replaying, and the number of triggers."""
    results: list[ReplayedFile] = []

    def replay() -> None:
        results[:] = (replay_file(source, path) for path in history.files)

    decoding, replaying = [], []
    for _ in range(runs):
        decoding.append(_seconds(lambda: _decode(history)))
        replaying.append(_seconds(replay))
    return min(decoding), min(replaying), sum(len(each.session.triggers) for each in results if each.session)


def _seconds(work: Callable[[], None]) -> float:
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - before


def _decode(history: History) -> None:
    for file in history.files:
        for line in file.read_bytes().split(b"\n"):
            data = line.removeprefix(b"data:").strip()
            if data.startswith(b"{"):
                json.loads(data)


def _rules(project: Path, count: int) -> RuleSource:
    """A project with rules that have real conditions which hardly any text matches."""
    folder = project / ".omp" / "rules"
    folder.mkdir(parents=True)
    (project / ".git").mkdir()
    for number, condition in enumerate(real_conditions(count, rare=True)):
        # Comments of HTML are taken out of a rule file before it is read.
        quoted = json.dumps(condition).replace("<", r"\u003c")
        text = f"---\ncondition: {quoted}\nscope: text, thinking, tool\n---\nDo not.\n"
        (folder / f"rule-{number}.md").write_text(text, encoding="utf-8")
    return RuleSource(project, project, {}, ())


if __name__ == "__main__":
    main()
