"""Patches in Codex's format, given to a tool of their own or to the shell, as the calls that rules know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from ttsr_ls.bridge.adapters.codex.items import CodexCall
from ttsr_ls.bridge.adapters.wire_values import JsonObject, get_text
from ttsr_ls.session.output.partial_json import JsonValue
from ttsr_ls.session.output.patch_reader import AddedLine, PatchedFile, PatchReader
from ttsr_ls.syntax.scope.tool_names import OTHER_AGENTS_TOOLS

PATCH_TOOLS = frozenset({"apply_patch", "applypatch"})
"""The names in lower case of tools that apply a patch."""
_PATCH_KEYS = ("command", "input", "patch", "patchText")
_BEGIN, _END = "*** Begin Patch", "*** End Patch"
# Every repetition is bounded: the command comes from a model.
_COMMAND_START = r"(?:^|[;&|({\n'\"`]|\s-l?c\s)[ \t]{0,80}"
_APPLIED = re.compile(_COMMAND_START + r"(?:[\w./-]{0,200}/)?apply_?patch\b[^\n]{0,200}?\s{0,80}\*\*\* Begin Patch")
_CD = re.compile(_COMMAND_START + r"cd[ \t]{1,80}(?:\"([^\"\n]{1,4096})\"|'([^'\n]{1,4096})'|([^\s;&|'\"]{1,4096}))")
_MAX_FOLDER = 1024
"""The longest folder that the paths of a patch are resolved against, in characters."""
_ESCAPED = re.compile(r'\\(["$`\\])')


def canonical_calls(tool: str, call_id: str, arguments: JsonObject) -> list[CodexCall]:
    """The calls that a tool call means to rules; only the first has its id.

    A patch is a call for each of its files. A shell command is itself, and a call for each file that it patches.
    """
    name = tool.lower()
    found: list[tuple[str, JsonObject]] = []
    if name in PATCH_TOOLS:
        found = list(_written_by(patch_text(arguments), PurePosixPath()))
    if not found:
        found = [(tool, arguments)]
        if name == "bash" or OTHER_AGENTS_TOOLS.get(name) == "bash":
            folder = _joined(PurePosixPath(), get_text(arguments, "workdir"))
            for patch, cwd in _patches_of_command(_command(arguments), folder):
                found += _written_by(patch, cwd)
    return [
        CodexCall(name, call_id if not number else f"{call_id}#{number}", given)
        for number, (name, given) in enumerate(found)
    ]


def patch_text(arguments: JsonObject) -> str:
    """Returns the patch in the arguments of a call; blank if there is none."""
    return next((text for key in _PATCH_KEYS if (text := get_text(arguments, key))), "")


def _command(arguments: JsonObject) -> str:
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
    """The folder within `cwd`; `cwd` itself if the path were too long to repeat for each file."""
    return cwd / folder if len(str(cwd)) + len(folder) <= _MAX_FOLDER else cwd


def _written_by(patch: str, cwd: PurePosixPath) -> Iterator[tuple[str, JsonObject]]:
    """The tool and the arguments of the call for each file of a patch. Only added lines are new text."""
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
