"""Values of a rule's frontmatter in plain English: globs with the files that they match, modes, flags, and agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ttsr_ls.ide.markdown import inline_code
from ttsr_ls.matching.rule_file_filter import name_endings
from ttsr_ls.rules.path_glob import path_globs
from ttsr_ls.syntax.rule_file import Entry, ScalarValue


class FileList(Struct, frozen=True, eq=False):
    """Files of the workspace, relative to its folder; only some of them if there are more than a listing may have."""

    names: Sequence[str] = ()
    is_complete: bool = True


WorkspaceFileList = Callable[[], FileList]
"""Lists the files of the workspace. Slow, and called only for answers that depend on the files."""

_MODES = {
    "never": "The rule never interrupts. Its body is injected as a reminder.",
    "prose-only": "The rule interrupts text and thinking. After a tool call, its body is injected as a reminder.",
    "tool-only": "The rule interrupts tool calls. After text and thinking, its body is injected as a reminder.",
    "always": "The rule interrupts all output that it fires on.",
}
_FLAGS = {
    ("enabled", True): "The rule is in force, as it is without this line.",
    ("enabled", False): "The rule is switched off.",
    ("alwaysApply", True): "The body is a part of every prompt, if the rule has no working trigger.",
    ("alwaysApply", False): "The body is no part of the prompt, as it is without this line.",
}
_EXAMPLES = 5


def glob_text(glob: str, files: WorkspaceFileList) -> str:
    """Returns the number of files of the workspace that a glob matches, and some of them."""
    listed = files()
    if not listed.names:
        return f"{inline_code(glob)}: a glob of paths, as a whole or by the name of the file alone."
    matching = _matching(glob, listed.names)
    number = f"{len(listed.names):,}"
    if not matching:
        if listed.is_complete:
            return f"{inline_code(glob)}: **no file of the workspace matches** ({number} are there)."
        return f"{inline_code(glob)}: **none of {number} files matches**. The workspace has more; they were not listed."
    if not listed.is_complete:
        count = f"{len(matching):,} of {number} files match, of a workspace that has more"
    elif len(matching) == 1:
        count = "1 file of the workspace matches"
    else:
        count = f"{len(matching):,} files of the workspace match"
    examples = ", ".join(inline_code(name) for name in matching[:_EXAMPLES])
    details = ", …" if len(matching) > _EXAMPLES else ""
    return f"{inline_code(glob)}: **{count}**: {examples}{details}"


def _matching(glob: str, names: Sequence[str]) -> list[str]:
    patterns = path_globs((glob,))
    if not patterns:
        return []
    endings = name_endings(patterns[0])
    return [name for name in names if name.endswith(endings) and patterns[0].matches_any((name,))]


def entry_value_text(entry: Entry) -> str | None:
    """Describes the meaning of a mode or a flag; None for any other value."""
    if not isinstance(entry.value, ScalarValue):
        return None
    data = entry.value.data
    if entry.name == "interruptMode" and isinstance(data, str):
        return _MODES.get(data)
    return _FLAGS.get((entry.name, data)) if isinstance(data, bool) else None


def agent_text(agent: str) -> str:
    """Describes the agents that a name in `agents` means."""
    match agent.strip().lower():
        case "main":
            return "`main`: the session at the top."
        case "sub":
            return "`sub`: subagents without a name."
        case "!main":
            return "`!main`: every agent but the session at the top."
        case _:
            return f"{inline_code(agent)}: agents with this name, which may be a glob; case does not count."


def ast_text(pattern: str) -> str:
    """Describes the code on which an AST condition is tried."""
    return (
        f"{inline_code(pattern)}: an ast-grep pattern. It is tried on the code that a tool writes, in the language of "
        "the file. `$A` is any one node, `$$$` any number of them."
    )
