"""Tries rules on many files in order, and reads on while the syntax trees of some are still awaited.

Owns how far ahead it reads; what is told of a file, and in which order, does not depend on that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from ttsr_ls.cli.scan.output import Counts, ScannedFile
from ttsr_ls.matching.monitor.file_scan import FileScan, StartedFile
from ttsr_ls.store.discovery.scan_tree import Unread, read_text

_MOST_FILES_AHEAD = 128
_MOST_TEXT_AHEAD = 8 * 1024 * 1024
"""In code points; one file may have more."""


class Tree(Struct, frozen=True):
    """A folder, the prefix that its files are shown with, and the paths of its files, relative to it with `/`."""

    root: Path
    shown: str
    files: list[str]


class _Opened(Struct, frozen=True):
    path: str
    state: StartedFile | Unread

    @property
    def size(self) -> int:
        return 0 if isinstance(self.state, Unread) else len(self.state.text)


def scanned_files(scan: FileScan, tree: Tree, maximum: int, counts: Counts) -> Iterator[ScannedFile]:
    """The files on which something is to be told; counts all of them. None of more than `maximum` bytes is read."""
    counts.total = len(tree.files)
    ahead: deque[_Opened] = deque()
    waiting = 0
    for opened in _opened(scan, tree, maximum, counts):
        ahead.append(opened)
        waiting += opened.size
        while len(ahead) > _MOST_FILES_AHEAD or waiting > _MOST_TEXT_AHEAD:
            waiting -= ahead[0].size
            yield from _finished(scan, [ahead.popleft()], counts)
    yield from _finished(scan, ahead, counts)


def _opened(scan: FileScan, tree: Tree, maximum: int, counts: Counts) -> Iterator[_Opened]:
    """The files that some rule watches."""
    above = f"{tree.root}/" if str(tree.root) != "/" else "/"
    for file in tree.files:
        path, shown = above + file, tree.shown + file
        paths = (path.replace("\\", "/"), shown.replace("\\", "/"), file.rpartition("/")[2])
        relevant = scan.relevant(paths)
        if not relevant:
            counts.irrelevant += 1
            continue
        text = read_text(path, maximum)
        yield _Opened(shown, text if isinstance(text, Unread) else scan.start(relevant, text, paths))


def _finished(scan: FileScan, files: Iterable[_Opened], counts: Counts) -> Iterator[ScannedFile]:
    for file in files:
        if isinstance(file.state, Unread):
            counts.unread[file.state] += 1
            yield ScannedFile(file.path, "", (), file.state)
            continue
        counts.scanned += 1
        result = scan.finish(file.state)
        if result.unparsed is not None:
            counts.unparsed[file.path] = result.unparsed
        if result.matches:
            counts.matched += 1
            counts.matches += len(result.matches)
            yield ScannedFile(file.path, file.state.text, result.matches, None)
