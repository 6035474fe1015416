"""`python -m benchmarks.adapters [PATH ...]`: what the adapter of each source takes for an event of its agent.

An event is a line of the stream, or a server-sent event; for plain text, a chunk of 16 characters. The streams are
those in the paths, by default the samples of the tests, each repeated under different session ids. All figures are user
processor time, the least of several runs. Events arrive in chunks of 64 KB, and one by one as from an agent at work.
"""

from __future__ import annotations

import argparse
import gc
import resource
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.histories import SAMPLES, History, histories
from benchmarks.real_texts import real_text
from ttsr_ls.bridge.adapters.agents import SOURCES

_CHUNK = 64 * 1024
_MAX_MICROSECONDS = 15.0
_TEXT_DELTA = 16


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adapters", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[SAMPLES], metavar="PATH")
    parser.add_argument("--megabytes", type=float, default=2.0, help="size of the streams of each source (default: 2)")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    print(f"user processor time in µs an event, the least of {arguments.runs} runs; limit {_MAX_MICROSECONDS:.0f} µs\n")
    print("| source | events | bytes an event | in chunks | one by one | limit |")
    print("| --- |" + " ---: |" * 4 + " --- |")
    with tempfile.TemporaryDirectory(prefix="ttsr-bench-") as folder:
        found = histories(arguments.paths, Path(folder), arguments.megabytes, 400)
        for history in found:
            print(_row(history.source, _events(history), arguments.runs), flush=True)
    text = "".join(real_text("python")).encode()[:400_000]
    events = [[text[start : start + _TEXT_DELTA] for start in range(0, len(text), _TEXT_DELTA)]]
    print(_row("text", events, arguments.runs))


def _row(source: str, files: list[list[bytes]], runs: int) -> str:
    count = sum(map(len, files))
    size = sum(len(event) for file in files for event in file)
    chunks = [_chunks(b"".join(file)) for file in files]
    cost, cost_alone = (1e6 * min(_seconds(source, each) for _ in range(runs)) / count for each in (chunks, files))
    verdict = "kept" if max(cost, cost_alone) < _MAX_MICROSECONDS else "BROKEN"
    return f"| {source} | {count} | {size / count:.0f} | {cost:.2f} | {cost_alone:.2f} | {verdict} |"


def _chunks(data: bytes) -> list[bytes]:
    return [data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK)]


def _events(history: History) -> list[list[bytes]]:
    """The events of each file, with their line ends; the lines of a server-sent event belong together."""
    files = []
    for path in history.files:
        data = path.read_bytes()
        separator = b"\n\n" if data.startswith((b"event:", b"data:")) else b"\n"
        files.append([event + separator for event in data.split(separator) if event.strip()])
    return files


def _seconds(source: str, files: Sequence[Sequence[bytes]]) -> float:
    gc.collect()
    gc.freeze()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for pieces in files:
        adapter = SOURCES[source].make(None)
        for piece in pieces:
            adapter.feed(piece)
        adapter.finish()
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - before


if __name__ == "__main__":
    main()
