"""The patches that a shell command applies, and the files of a patch, as calls that write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from ttsr_ls.session.output.partial_json import JsonValue
from ttsr_ls.session.output.patch_reader import AddedLine, PatchedFile, PatchReader

WriteCall = tuple[str, dict[str, JsonValue]]
"""A tool and its arguments."""

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
# Every repetition is bounded: the command comes from a model.
_COMMAND_START = r"(?:^|[;&|({\n'\"`]|\s-l?c\s)[ \t]{0,80}"
_APPLIED = re.compile(_COMMAND_START + r"(?:[\w./-]{0,200}/)?apply_?patch\b[^\n]{0,200}?\s{0,80}\*\*\* Begin Patch")
_CD = re.compile(_COMMAND_START + r"cd[ \t]{1,80}(?:\"([^\"\n]{1,4096})\"|'([^'\n]{1,4096})'|([^\s;&|'\"]{1,4096}))")
_MAX_FOLDER = 1024
"""The longest folder against which the paths of a patch are resolved, in characters."""
_ESCAPED = re.compile(r'\\(["$`\\])')


def calls_of_command(arguments: Mapping[str, JsonValue]) -> Iterator[WriteCall]:
    """Returns a call for each file of each patch that the shell command in `arguments` applies."""
    workdir = arguments.get("workdir")
    folder = _joined(PurePosixPath(), workdir if isinstance(workdir, str) else "")
    for patch, cwd in _patches_of_command(_command(arguments), folder):
        yield from calls_of_patch(patch, cwd)


def _command(arguments: Mapping[str, JsonValue]) -> str:
    command = arguments.get("command") or arguments.get("cmd")
    if isinstance(command, list):
        return " ".join(map(str, command))
    return command if isinstance(command, str) else ""


def _patches_of_command(command: str, cwd: PurePosixPath) -> Iterator[tuple[str, PurePosixPath]]:
    """The patches that a shell command applies, each with the folder that its paths start from."""
    position = 0
    while match := _APPLIED.search(command, position):
        for folder in _CD.finditer(command, position, match.start() + 1):
            cwd = _joined(cwd, next(filter(None, folder.groups())))
        begin = match.end() - len(_BEGIN)
        end = command.find(_END, begin)
        position = len(command) if end < 0 else end
        patch = command[begin:position]
        if '"' in (command[match.start()], command[begin - 1]):
            patch = _ESCAPED.sub(r"\1", patch)
        elif "'" in (command[match.start()], command[begin - 1]):
            patch = patch.replace("'\\''", "'")
        yield patch, cwd


def _joined(cwd: PurePosixPath, folder: str) -> PurePosixPath:
    """Returns the folder within `cwd`, or `cwd` itself if the path would be too long to repeat for each file."""
    return cwd / folder if len(str(cwd)) + len(folder) <= _MAX_FOLDER else cwd


def calls_of_patch(patch: str, cwd: PurePosixPath) -> Iterator[WriteCall]:
    """Returns a call for each file of a patch, whose paths start from `cwd`. Only added lines are new text."""
    reader = PatchReader()
    files: list[tuple[PatchedFile, list[str]]] = []
    for event in (*reader.feed(patch), *reader.finish()):
        match event:
            case PatchedFile():
                files.append((event, []))
            case AddedLine(text):
                files[-1][1].append(text)
    for file, lines in files:
        addition: dict[str, JsonValue] = {file.text_key: "\n".join(lines)} if file.text_key else {}
        yield file.tool, {"path": str(cwd / file.path), **addition}
