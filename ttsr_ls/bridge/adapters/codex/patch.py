"""Converts calls that write several files to the write calls that rules match: Codex's patches, in calls of a patch
tool or of the shell, and VS Code's replacements in several files.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from ttsr_ls.bridge.adapters.codex.items import CodexCall
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.session.output.patch_calls import WriteCall, calls_of_command, calls_of_patch
from ttsr_ls.session.output.patch_reader import PATCH_TOOLS, patch_text
from ttsr_ls.session.output.replacement_calls import REPLACEMENT_TOOL, calls_of_replacements
from ttsr_ls.syntax.scope.tool_names import OTHER_AGENTS_TOOLS


def canonical_calls(tool: str, call_id: str, arguments: JsonObject) -> list[CodexCall]:
    """Returns the calls on which rules are matched for a tool call; only the first has its id.

    A patch, or a list of replacements, becomes a call for each of its files. A shell command stays, and adds a call for
    each file that it patches.
    """
    name = tool.lower()
    found: list[WriteCall] = []
    if name in PATCH_TOOLS:
        found = list(calls_of_patch(patch_text(arguments), PurePosixPath()))
    elif name == REPLACEMENT_TOOL:
        found = calls_of_replacements(arguments)
    if not found:
        found = [(tool, arguments)]
        if name == "bash" or OTHER_AGENTS_TOOLS.get(name) == "bash":
            found += calls_of_command(arguments)
    return [
        CodexCall(name, call_id if not number else f"{call_id}#{number}", call_arguments)
        for number, (name, call_arguments) in enumerate(found)
    ]
