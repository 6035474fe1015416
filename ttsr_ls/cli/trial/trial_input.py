"""The input of `test`: the text, and the kind of stream that it is tested as.

The flags, and the inference of the stream from them, are the reference agent's (spec Q3), except that a path is tried
in all forms in which a live agent would report it (spec G4, G5), and that a named tool makes the source a tool.
"""

from __future__ import annotations

import argparse
import codecs
import sys
from pathlib import Path

from msgspec import Struct

from ttsr_ls.cli.printing.output import write_note
from ttsr_ls.errors import UsageError
from ttsr_ls.ide.trial.rule_trial import never_has_path, stream_context
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.rules.tool_paths import path_candidates
from ttsr_ls.store.files.bounded_file import read_bytes
from ttsr_ls.syntax.reader import undecoded_utf16_encoding

MAX_SNIPPET_BYTES = 4 * 1024 * 1024
_STDIN = "-"
_DEFAULT_TOOL = "edit"

# Suffixes of files that are tested as the content that a tool writes: the reference's list (recorded, see docs/cli.md).
_WRITTEN_BY_TOOLS = frozenset(
    (
        "bash", "c", "cc", "cjs", "cpp", "cs", "css", "dart", "ex", "exs", "fs",
        "fsx", "go", "h", "hpp", "html", "java", "js", "json", "jsx", "kt", "lua",
        "md", "mjs", "php", "proto", "py", "rb", "rs", "scala", "scss", "sh", "sql",
        "swift", "tf", "toml", "ts", "tsx", "vb", "yaml", "yml", "zig",
    )
)  # fmt: skip


class TrialInput(Struct, frozen=True):
    """A text to try, as the stream `context`. `path` is the path in the report; `note` explains an inferred source."""

    text: str
    context: StreamContext
    tool: str | None
    path: str | None
    note: str | None


def read_trial_input(args: argparse.Namespace, cwd: Path) -> TrialInput:
    """Converts the arguments of `test` to its input. Raises `UsageError` if there is no text or it cannot be read."""
    file = args.file
    snippet = args.snippet
    if file is None and snippet is not None and _is_file(snippet):
        file, snippet = snippet, None
    if file is not None:
        text = read_text(file)
    elif snippet is not None:
        text = snippet
    else:
        raise UsageError("there is no text to test: give a snippet, --file PATH, or --file - to read standard input")
    path = args.path
    if path is None and file is not None and file != _STDIN:
        path = str(Path(cwd, file))
    if never_has_path(args.tool):
        if args.path is not None:
            raise UsageError(f"a call of {args.tool} has no path: leave out --path")
        path = None
    source, note = _source(args, path)
    tool = args.tool or (_DEFAULT_TOOL if source is Source.TOOL else None)
    paths = () if path is None else path_candidates(path, cwd)
    return TrialInput(text, stream_context(source, tool, paths), tool, path, note)


def _source(args: argparse.Namespace, path: str | None) -> tuple[Source, str | None]:
    if args.source is not None:
        return Source(args.source), None
    if args.tool is not None:
        return Source.TOOL, None
    if path is None:
        return Source.TEXT, None
    suffix = Path(path).suffix
    if suffix.lower().removeprefix(".") in _WRITTEN_BY_TOOLS:
        return Source.TOOL, None
    reason = f"the suffix '{suffix}'" if suffix else "a name without a suffix"
    return Source.TEXT, (
        f"treated as text, because {reason} is not known as source code; "
        "pass --source tool to test it as what a tool writes"
    )


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        # A snippet may be longer than any file name, or contain NUL.
        return False


def read_text(name: str) -> str:
    """The text of a file, or of standard input for `-`. Raises `UsageError` where it cannot be read.

    Prints a note about bytes that are not UTF-8.
    """
    try:
        if name == _STDIN:
            data = sys.stdin.buffer.read(MAX_SNIPPET_BYTES + 1)
        else:
            data = read_bytes(name, MAX_SNIPPET_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error
    if len(data) > MAX_SNIPPET_BYTES:
        raise UsageError(f"cannot test {name}: it is larger than {MAX_SNIPPET_BYTES // 1024} KiB")
    encoding = undecoded_utf16_encoding(data) or ("UTF-16LE" if data.startswith(codecs.BOM_UTF16_LE) else None)
    if encoding is not None:
        raise UsageError(f"cannot test {name}: it is {encoding}; save it as UTF-8")
    text = data.decode("utf-8", "replace")
    if "\ufffd" in text and "\ufffd".encode() not in data:
        write_note(f"{name} has bytes that are not UTF-8; each is read as U+FFFD")
    return text
