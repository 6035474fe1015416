"""Completion in `scope`, `globs` and `agents`: streams, tools, and globs of existing files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from posixpath import splitext

from ttsr_ls.ide.completion.completion import Completion, CompletionKind
from ttsr_ls.ide.completion.plain_snippet import snippet_literal
from ttsr_ls.ide.template_language import template_language
from ttsr_ls.syntax.scope.tool_names import KNOWN_TOOLS, OTHER_AGENTS_TOOLS
from ttsr_ls.text import Span

_STREAMS = {
    "text": "Prose that the agent writes to the user.",
    "thinking": "The agent's thinking.",
    "tool": "The arguments of every tool.",
}
_AGENTS = {
    "main": "The session at the top.",
    "sub": "A subagent without a name.",
    "!main": "Everyone but the session at the top.",
}
_FIRST = ("edit", "write", "bash")
"""The tools of most rules."""
_TOKEN_END = re.compile(r"[,\[\]\"']")
_GLOB_END = re.compile(r"[\s,\[\]\"']")
_TOOL_GLOB = re.compile(r"[\w-]\(")
"""The end of a tool's name, and the parenthesis behind it."""
_MAX_SUFFIXES = 12
_MAX_FOLDERS = 12


def complete_scope(typed: str, offset: int, files: Callable[[], Sequence[str]]) -> Iterator[Completion]:
    """Yields the tokens of a scope after `typed`; within the parentheses of a tool, globs."""
    if (in_tool := _TOOL_GLOB.search(typed, typed.rfind(")") + 1)) is not None:
        glob = typed[in_tool.end() :].lstrip()
        yield from _globs(files(), Span(offset - len(glob), offset), glob)
        return
    token = _last_part(_TOKEN_END, typed).lstrip()
    span = Span(offset - len(token), offset)
    for stream, documentation in _STREAMS.items():
        yield Completion(CompletionKind.VALUE, stream, stream, span, documentation)
    for tool in (*_FIRST, *sorted(KNOWN_TOOLS - set(_FIRST))):
        yield Completion(CompletionKind.TOOL, f"tool:{tool}", f"tool:{tool}", span, _tool_text(tool))
    glob = snippet_literal(template_language(files()).glob)
    for tool in _FIRST[:2]:
        label = f"tool:{tool}(…)"
        text = f"tool:{tool}(${{1:{glob}}})"
        yield Completion(CompletionKind.TOOL, label, text, span, "On files that match the glob only.", is_snippet=True)


def complete_globs(typed: str, offset: int, files: Sequence[str]) -> Iterator[Completion]:
    """Returns globs of the workspace's files after `typed`."""
    glob = _last_part(_GLOB_END, typed)
    return _globs(files, Span(offset - len(glob), offset), glob)


def complete_agents(typed: str, offset: int) -> Iterator[Completion]:
    """Yields the agents after `typed`."""
    span = Span(offset - len(_last_part(_TOKEN_END, typed).lstrip()), offset)
    for name, documentation in _AGENTS.items():
        yield Completion(CompletionKind.VALUE, name, name, span, documentation)


def _globs(files: Sequence[str], span: Span, typed: str) -> Iterator[Completion]:
    """Globs of the extensions and of the folders below the folders in `typed`."""
    head = typed[: typed.rfind("/") + 1]
    folder = head.removesuffix("**/")
    # Folders with wildcards match no file of that name, so nothing is offered below them.
    paths = [file.removeprefix(folder) for file in files if file.startswith(folder)]
    suffixes = Counter(suffix for path in paths if len(suffix := splitext(path)[1]) > 1)
    name = f"{head}**/*" if head == folder != "" else f"{head}*"
    for suffix, count in suffixes.most_common(_MAX_SUFFIXES):
        yield _glob(f"{name}{suffix}", span, count)
    if head != folder:
        return
    folders = Counter(path.partition("/")[0] for path in paths if "/" in path)
    for inner, count in folders.most_common(_MAX_FOLDERS):
        yield _glob(f"{head}{inner}/**", span, count)
    if head and paths:
        yield _glob(f"{head}**", span, len(paths))


def _glob(glob: str, span: Span, count: int) -> Completion:
    return Completion(CompletionKind.GLOB, glob, glob, span, _count_text(count))


def _count_text(count: int) -> str:
    return "1 file of the workspace." if count == 1 else f"{count} files of the workspace."


def _tool_text(tool: str) -> str:
    other_names = sorted(other for other, name in OTHER_AGENTS_TOOLS.items() if name == tool)
    if not other_names:
        return f"Calls of the tool `{tool}`."
    return f"Calls of the tool `{tool}`. Other agents call it {', '.join(f'`{other}`' for other in other_names)}."


def _last_part(end: re.Pattern[str], typed: str) -> str:
    r"""Returns the text after the last match of `end`. Patterns that end with `\Z` would read a long text once for each
    unit."""
    start = max((match.end() for match in end.finditer(typed)), default=0)
    return typed[start:]
