"""Determines with git which lines of which files were added: since a commit, or in the index.

Paths are relative to the given folder, and only files below it count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from ttsr_ls.store.discovery.scan_tree import MAX_SCANNED_BYTES, UnreadFile, UnreadReason, decoded_text, read_text
from ttsr_ls.store.git_program import GIT_SECONDS, commit_of, run_git, start_git

_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_DIFF = (
    *("diff", "--relative", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--find-renames"),
    *("--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules=all"),
)
_FILES_AT_ONCE = 200
"""The most files in the arguments of one run of git."""
_FILE_MODES = (b"100644", b"100755")


class AddedLines(Struct, frozen=True):
    """A file with lines that were added: their numbers from 1, as half-open ranges in order; None for all of it.

    `blob` names the content in the index; None for the content of the file.
    """

    path: str
    ranges: tuple[tuple[int, int], ...] | None
    blob: str | None = None

    def has_any(self, first: int, last: int) -> bool:
        """Returns whether some line from `first` to `last`, both counted from 1, was added."""
        return self.ranges is None or any(start <= last and first < end for start, end in self.ranges)


def added_since(folder: Path, revision: str) -> tuple[AddedLines, ...]:
    """Returns the lines of the files below `folder` that were added since the merge base of `revision` and HEAD.

    Untracked files that git does not ignore count as added. Raises `GitError`.
    """
    base = commit_of(folder, revision)
    shared = run_git(folder, "merge-base", base, "HEAD", accepts=(0, 1, 128)).strip()
    compared = (shared.decode() or base,)
    diff = run_git(folder, *_DIFF, *compared, "--")
    new = run_git(folder, "ls-files", "--others", "--exclude-standard", "-z").split(b"\0")
    forced = _forced_diff(folder, compared, lambda path: read_text(str(folder / path), MAX_SCANNED_BYTES), diff)
    return (*_added_lines(diff), *_added_lines(forced), *(AddedLines(_text(name), None) for name in new if name))


def staged_lines(folder: Path) -> tuple[AddedLines, ...]:
    """Returns the lines that the index adds to the files below `folder`. Raises `GitError`."""
    run_git(folder, "rev-parse", "--git-dir")
    raw = run_git(
        folder, *(item for item in _DIFF if item != "--unified=0"), "--cached", "--raw", "-z", "--no-abbrev", "--"
    )
    blobs = dict(_blobs(raw))
    diff = run_git(folder, *_DIFF, "--cached", "--")
    texts = StagedTexts(folder)
    try:
        forced = _forced_diff(
            folder,
            ("--cached",),
            lambda path: texts.read(blobs[path], MAX_SCANNED_BYTES) if path in blobs else None,
            diff,
        )
    finally:
        texts.close()
    found = (*_added_lines(diff), *_added_lines(forced))
    return tuple(AddedLines(lines.path, lines.ranges, blobs[lines.path]) for lines in found if lines.path in blobs)


class StagedTexts:
    """Reads contents of the index, by one process of git."""

    def __init__(self, folder: Path) -> None:
        self._process = start_git(folder, "cat-file", "--batch")

    def close(self) -> None:
        """Ends the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait(timeout=GIT_SECONDS)

    def read(self, blob: str, maximum: int) -> str | UnreadFile:
        """Returns the text of a blob, decoded and limited as by `scan_tree.read_text`."""
        source, answer = self._process.stdin, self._process.stdout
        assert source is not None
        assert answer is not None
        try:
            source.write(blob.encode() + b"\n")
            source.flush()
            header = answer.readline().split()
            if len(header) != 3:
                return UnreadFile(UnreadReason.UNREADABLE)
            size = int(header[2])
            kept = answer.read(min(size, MAX_SCANNED_BYTES + 1))
            remaining = size - len(kept) + 1
            while remaining > 0 and (part := answer.read(min(remaining, 1024 * 1024))):
                remaining -= len(part)
        except (OSError, ValueError):
            return UnreadFile(UnreadReason.UNREADABLE)
        return decoded_text(kept, maximum)


def _forced_diff(
    folder: Path, compared: tuple[str, ...], read: Callable[[str], str | UnreadFile | None], diff: bytes
) -> bytes:
    """Returns the diff of the text files for which git shows none because an attribute (`-diff`, `binary`) says so.

    `read` returns the text of a file of the diff. Files without a text stay left out: their diffs would be large.
    """
    if b"Binary files " not in diff:
        return b""
    counts = run_git(folder, *(item for item in _DIFF if item != "--unified=0"), "--numstat", "-z", *compared, "--")
    texts = [names for names in _binary_files(counts) if isinstance(read(names[-1]), str)]
    parts = (texts[start : start + _FILES_AT_ONCE] for start in range(0, len(texts), _FILES_AT_ONCE))
    paths = ([f":(literal){name}" for names in part for name in names] for part in parts)
    return b"\n".join(run_git(folder, *_DIFF, "--text", *compared, "--", *part) for part in paths)


def _binary_files(counts: bytes) -> Iterator[tuple[str, ...]]:
    """Yields the binary files of `git diff --numstat -z`: the name of each, after its former one if it was renamed."""
    parts = iter(counts.split(b"\0"))
    for count in parts:
        name = count.split(b"\t", 2)[-1]
        names = (name,) if name else (next(parts, b""), next(parts, b""))
        if count.startswith(b"-\t-\t"):
            yield tuple(map(_text, names))


def _added_lines(diff: bytes) -> Iterator[AddedLines]:
    """Yields the lines that the hunks of a diff without context add. Content that looks like a header is skipped, as a
    hunk states its length."""
    path: str | None = None
    ranges: list[tuple[int, int]] = []
    hunk_left = 0
    for line in diff.split(b"\n"):
        if hunk_left and not line.startswith(b"\\"):
            hunk_left -= 1
        elif line.startswith(b"+++ "):
            if path is not None and ranges:
                yield AddedLines(path, tuple(ranges))
            path, ranges = _path(line[4:]), []
        elif (hunk := _HUNK.match(line)) is not None:
            removed, added = (int(count or 1) for count in (hunk[1], hunk[3]))
            hunk_left = removed + added
            if added:
                ranges.append((int(hunk[2]), int(hunk[2]) + added))
    if path is not None and ranges:
        yield AddedLines(path, tuple(ranges))


def _path(header: bytes) -> str | None:
    """Returns the path in a header of a diff, which git quotes if it has special characters; None for a removed
    file."""
    if header.startswith(b'"'):
        header = _ESCAPE.sub(_unescaped, header.rstrip(b"\t")[1:-1])
    else:
        header = header.removesuffix(b"\t")
    return _text(header[2:]) if header.startswith(b"b/") else None


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) & 0xFF]) if len(code) == 3 else _ESCAPED.get(code, code)


def _blobs(raw: bytes) -> Iterator[tuple[str, str]]:
    """Yields the paths of `git diff --raw -z`, each with its new blob, of regular files."""
    parts = iter(raw.split(b"\0"))
    for about in parts:
        fields = about.split()
        if len(fields) != 5:
            return
        path = next(parts, b"")
        if fields[4][:1] in (b"R", b"C"):
            path = next(parts, b"")
        if fields[1] in _FILE_MODES:
            yield _text(path), fields[3].decode()


def _text(name: bytes) -> str:
    return os.fsdecode(name)
