"""Scopes: on which streams a rule is matched (spec S3 to S5).

The reader parses `scope` and its tokens; this module combines the tokens.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from ttsr_ls.rules.path_glob import PathGlob, path_globs
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.syntax.rule_file import ScopeToken


class ToolScope(Struct, frozen=True):
    """Admits calls of one tool, by its lower-case name, or of any tool (None). A glob restricts it to paths."""

    tool: str | None
    glob: PathGlob | None

    def admits(self, context: StreamContext) -> bool:
        """Returns whether a tool call is of this tool and, with a glob, one of its candidate paths matches."""
        if self.tool is not None and self.tool != context.tool_name:
            return False
        return self.glob is None or self.glob.matches_any(context.paths)


class Scope(Struct, frozen=True):
    """The streams on which a rule may fire: text, thinking, and tool calls."""

    text: bool
    thinking: bool
    any_tool: bool
    tools: tuple[ToolScope, ...]

    @property
    def is_reachable(self) -> bool:
        """True if the scope admits any stream at all (spec S4)."""
        return self.text or self.thinking or self.any_tool or bool(self.tools)

    def admits_source(self, source: Source) -> bool:
        """Returns whether the scope admits some stream of this source, with whatever tool and paths."""
        match source:
            case Source.TEXT:
                return self.text
            case Source.THINKING:
                return self.thinking
            case Source.TOOL:
                return self.any_tool or bool(self.tools)
        assert_never(source)

    def admits(self, context: StreamContext) -> bool:
        """Returns whether the scope admits a stream (spec S5)."""
        if context.source is not Source.TOOL:
            return self.admits_source(context.source)
        return self.any_tool or any(scope.admits(context) for scope in self.tools)


DEFAULT_SCOPE = Scope(text=True, thinking=False, any_tool=True, tools=())
"""The scope of a rule without the key `scope` (spec S3)."""


def make_scope(tokens: tuple[ScopeToken, ...]) -> Scope:
    """Returns the scope of these tokens. Without tokens it is the default; if all tokens are invalid, it
    admits nothing.
    """
    if not tokens:
        return DEFAULT_SCOPE
    tools: dict[ToolScope, None] = {}
    any_tool = False
    for token in tokens:
        if token.stream == Source.TOOL:
            globs = path_globs(() if token.glob is None else (token.glob.value,))
            scope = ToolScope(None if token.tool is None else token.tool.lower(), globs[0] if globs else None)
            if scope == ToolScope(None, None):
                any_tool = True
            else:
                tools[scope] = None
    streams = {token.stream for token in tokens}
    return Scope(Source.TEXT in streams, Source.THINKING in streams, any_tool, tuple(tools))
