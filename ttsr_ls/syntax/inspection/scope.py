"""Problems of scope tokens: invalid tokens, and tokens that name an unknown tool (spec S2, S6)."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import Fields, ScopeToken
from ttsr_ls.syntax.scope.repair import repair_scope_token
from ttsr_ls.syntax.scope.tokens import PROSE_STREAMS, STREAMS
from ttsr_ls.syntax.scope.tool_names import (
    KNOWN_TOOLS,
    MCP_PREFIX,
    OTHER_AGENTS_TOOLS,
    RENAMED_TOOLS,
    actual_mcp_name,
    is_known_tool,
)
from ttsr_ls.text import truncate

_CONFUSED = {
    "prose": "text", "assistant": "text", "message": "text", "messages": "text", "output": "text", "answer": "text",
    "response": "text", "chat": "text", "markdown": "text", "reasoning": "thinking", "thought": "thinking",
    "thoughts": "thinking", "cot": "thinking", "toolcall": "tool", "tools": "tool", "tooling": "tool",
    "toolcalls": "tool", "tool_call": "tool", "tool-call": "tool", "tool_calls": "tool", "tool_arg": "tool",
    "tool_args": "tool", "code": "tool:edit", "edits": "tool:edit", "file": "tool:edit", "files": "tool:edit",
    "all": "text, thinking, tool", "any": "text, thinking, tool", "every": "text, thinking, tool",
    "everything": "text, thinking, tool", "both": "text, thinking",
}  # fmt: skip
_MAX_SHOWN = 60
_OTHER_DIALECT = frozenset(("line", "chunk", "accumulated"))
_THINK = (
    "`think` is read as the name of a tool, but the stream of an agent's thinking is `thinking`. Is `thinking` "
    "meant? Else write `tool:think`."
)


def inspect_scope(file: InspectedFile) -> Iterator[Problem]:
    """Reports tokens of `scope` that admit nothing."""
    for token in file.fields.scope:
        if token.inferred:
            continue
        if token.stream is None:
            yield _invalid(token)
        elif token.tool is not None and token.tool.startswith(MCP_PREFIX[:-1]):
            yield from _mcp_tool(token, token.tool)
        elif token.text.value.lower() == "think":
            yield Problem("bare-word-tool", _THINK, token.text.span, "thinking")
        elif token.tool is not None and not is_known_tool(token.tool):
            if token.text.value.lower().startswith("tool:"):
                yield from _unknown_tool(token, token.tool)
            else:
                yield _bare_word(token, token.tool, file.fields)


def _invalid(token: ScopeToken) -> Problem:
    value = token.text.value
    reason, suggestion = repair_scope_token(value)
    message = f"`{truncate(value, _MAX_SHOWN)}` is not a scope token and is skipped. {reason}"
    return Problem("invalid-scope-token", message, token.text.span, suggestion)


def _bare_word(token: ScopeToken, word: str, fields: Fields) -> Problem:
    whose = "oh-my-pi has no tool" if word in OTHER_AGENTS_TOOLS else "no agent has a tool"
    message = f"`{word}` is read as the name of a tool, and {whose} of this name"
    if word in PROSE_STREAMS:
        message += f": `{word}` is a stream only as a word of its own, and it has no paths."
        return Problem("bare-word-tool", message, token.text.span)
    if word in _OTHER_DIALECT:
        message += (
            ". In rules for pi it says how much of a text a pattern sees; here the scope names streams and tools, and "
            "a pattern sees all of a stream."
        )
        return Problem("bare-word-tool", message, token.text.span)
    suggestion = (
        _CONFUSED.get(word)
        or _other_name(word)
        or _prefixed_token(word)
        or nearest_word(word, (*STREAMS, *sorted(KNOWN_TOOLS)))
    )
    if suggestion is None:
        message += f". If it is one of your own, write `tool:{word}`."
        return Problem("bare-word-tool", message, token.text.span, f"tool:{token.text.value}")
    message += f". Is `{suggestion}` meant?"
    if suggestion in PROSE_STREAMS and any(glob.value.strip() for glob in fields.globs):
        message += f" With `globs`, that would never fire either, as `{suggestion}` has no file path."
        return Problem("bare-word-tool", message, token.text.span, has_no_replacement=True)
    # A glob after a word that means several streams, or prose, has nothing to belong to.
    is_plain = token.glob is None or suggestion not in _CONFUSED.values() or suggestion.startswith("tool")
    glob = "" if token.glob is None else f"({token.glob.value})"
    return Problem("bare-word-tool", message, token.text.span, f"{suggestion}{glob}" if is_plain else None)


def _unknown_tool(token: ScopeToken, name: str) -> Iterator[Problem]:
    """Reports an unknown tool if its name looks like a mistake: else it may be a tool of the author's own."""
    if name in STREAMS:
        message = f"This names a tool `{name}`, which does not exist. The stream is written without a prefix: `{name}`."
        yield Problem("unknown-tool", message, token.text.span, name if token.glob is None else None)
        return
    suggestion = _other_name(name) or nearest_word(name, sorted(KNOWN_TOOLS))
    if suggestion is None:
        return
    span = token.text.source_span(len("tool:"), len("tool:") + len(name))
    if name in RENAMED_TOOLS:
        message = f"The tool `{name}` is now called `{suggestion}`, and a scope only knows the new name."
    elif name in OTHER_AGENTS_TOOLS:
        message = (
            f"Other agents call it `{name}`; oh-my-pi knows it as `{suggestion}`, so this token never matches there, "
            "unless you have a tool of this name."
        )
    else:
        message = (
            f"No agent has a tool `{name}`, so this token never matches unless the tool is your own. Is `{suggestion}` "
            "meant?"
        )
    yield Problem("unknown-tool", message, span, suggestion)


def _prefixed_token(word: str) -> str | None:
    """Returns the token that is meant by `tool-edit`, `tool_edit` or `toolEdit`."""
    name = word.removeprefix("tool").lstrip("-_")
    return f"tool:{name}" if word.startswith("tool") and name in KNOWN_TOOLS else None


def _mcp_tool(token: ScopeToken, name: str) -> Iterator[Problem]:
    """Reports a name that no tool of an MCP server can have."""
    start = token.text.value.lower().index(name)
    span = token.text.source_span(start, start + len(name))
    suggestion = actual_mcp_name(name)
    if suggestion is not None:
        shown = truncate(suggestion, _MAX_SHOWN)
        message = (
            f"oh-my-pi calls this tool `{shown}`, with one underscore between server and tool and for every other "
            f"punctuation mark, so this token never matches. Write `{shown}`."
        )
        yield Problem("unknown-tool", message, span, suggestion)
    elif "_" not in name.removeprefix(MCP_PREFIX):
        shown = truncate(name, _MAX_SHOWN)
        message = (
            f"`{shown}` is a server without a tool, and a scope names single tools, so this token never matches. Write "
            f"each tool: `{shown}_TOOL`."
        )
        yield Problem("unknown-tool", message, span)


def _other_name(word: str) -> str | None:
    return RENAMED_TOOLS.get(word) or OTHER_AGENTS_TOOLS.get(word)
