"""Tries rules on many files in order, and reads further files while the syntax trees of earlier ones are built.

Owns how far it reads ahead. The results, and their order, do not depend on that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ttsr_ls.cli.scan.counts import Counts
from ttsr_ls.cli.scan.matches import MatchFilter, ScannedFile, scan_file
from ttsr_ls.cli.scan.targets import Reader, ScanTarget
from ttsr_ls.matching.monitor.file_scan import FileScan, StartedFile
from ttsr_ls.store.discovery.scan_tree import UnreadFile

_MAX_FILES_AHEAD = 128
_MAX_TEXT_AHEAD = 8 * 1024 * 1024
"""In code points; one file may have more."""


class FileReading(Struct, frozen=True):
    """The function that reads files, of at most `maximum` bytes each. `on_file` is called before each file."""

    read: Reader
    maximum: int
    on_file: Callable[[int], None]


class _OutOfScope(Struct, frozen=True):
    """No rule could fire in the file."""


class _Opened(Struct, frozen=True):
    target: ScanTarget
    state: StartedFile | UnreadFile | _OutOfScope

    @property
    def is_started(self) -> bool:
        return isinstance(self.state, StartedFile)

    @property
    def size(self) -> int:
        return len(self.state.text) if isinstance(self.state, StartedFile) else 0


def scanned_files(
    scan: FileScan, targets: Sequence[ScanTarget], reading: FileReading, match_filter: MatchFilter, counts: Counts
) -> Iterator[ScannedFile]:
    """Yields the files with matches and those that were skipped; counts all files."""
    counts.total = len(targets)
    ahead: deque[_Opened] = deque()
    waiting = texts = 0
    for opened in _opened(scan, targets, reading, counts):
        ahead.append(opened)
        texts += opened.size
        waiting += opened.is_started
        while waiting > _MAX_FILES_AHEAD or texts > _MAX_TEXT_AHEAD:
            texts -= ahead[0].size
            waiting -= ahead[0].is_started
            yield from _finished(scan, [ahead.popleft()], match_filter, counts)
    yield from _finished(scan, ahead, match_filter, counts)


def _opened(scan: FileScan, targets: Sequence[ScanTarget], reading: FileReading, counts: Counts) -> Iterator[_Opened]:
    """Reads the files that are in the scope of some rule."""
    all_paths = [_paths(target) for target in targets]
    files = [(target, paths, scan.rules_for(paths)) for target, paths in zip(targets, all_paths, strict=True)]
    scan.set_total_length(sum(_size(target, reading.maximum) for target, _, relevant in files if relevant))
    for number, (target, paths, relevant) in enumerate(files):
        reading.on_file(number)
        if not relevant:
            counts.irrelevant += 1
            yield _Opened(target, _OutOfScope())
            continue
        text = reading.read(target, reading.maximum)
        yield _Opened(target, text if isinstance(text, UnreadFile) else scan.start(relevant, text, paths))


def _paths(target: ScanTarget) -> tuple[str, str, str]:
    """The path of a file in all forms in which globs may name it."""
    path, display = target.path.replace("\\", "/"), target.shown.replace("\\", "/")
    return path, display, path.rpartition("/")[2]


def _size(target: ScanTarget, maximum: int) -> int:
    """Returns the number of bytes that are read of a file; 0 if it is unknown."""
    try:
        size = Path(target.path).stat().st_size
    except OSError:
        return 0
    return size if size <= maximum else 0


def _finished(
    scan: FileScan, files: Iterable[_Opened], match_filter: MatchFilter, counts: Counts
) -> Iterator[ScannedFile]:
    for file in files:
        display = file.target.shown
        if isinstance(file.state, _OutOfScope):
            yield ScannedFile(display, "", (), None, is_in_scope=False)
            continue
        if isinstance(file.state, UnreadFile):
            counts.unread[file.state.reason] += 1
            yield ScannedFile(display, "", (), file.state.reason, detail=file.state.detail)
            continue
        counts.scanned += 1
        result = scan.finish(file.state)
        if result.unparsed is not None:
            counts.unparsed[display] = result.unparsed
        if result.matches:
            scanned_file = scan_file(file.target, file.state.text, result.matches, match_filter, counts)
            if scanned_file.matches:
                yield scanned_file
