"""The input that Claude Code passes to hookify for each event, and the fields of it that hookify's engine can test
(docs/hookify.md).
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class FieldValue(Enum):
    """The content of a field in the input of a hook."""

    TEXT = "text"
    EMPTY = "the empty text, always"
    MISSING = "nothing, so that no condition on it holds"


class HookInput(Struct, frozen=True):
    """One kind of hook input. `tool` is None for events that are no tool call. `blank` fields are always empty."""

    event: str
    tool: str | None
    texts: frozenset[str]
    blank: frozenset[str] = frozenset()
    has_any_field: bool = False
    """True if the fields are unknown: a field of any name may exist."""

    def value_of(self, field: str) -> FieldValue:
        """Returns the content that a field of a condition has in this input."""
        if field in self.texts or (self.has_any_field and field):
            return FieldValue.TEXT
        return FieldValue.EMPTY if field in self.blank | NEVER_SENT else FieldValue.MISSING


# hookify looks these up in every input and takes the empty text instead; Claude Code sends `prompt`, and no reason.
NEVER_SENT = frozenset(("reason", "user_prompt"))
_ALWAYS = frozenset(("transcript",))
_NEW = frozenset(("new_text", "new_string"))
_OLD = frozenset(("old_text", "old_string"))

HOOK_INPUTS = (
    HookInput("bash", "Bash", _ALWAYS | {"command", "description", "timeout", "run_in_background"}),
    HookInput("file", "Write", _ALWAYS | {"file_path", "content"}, _NEW | _OLD),
    HookInput("file", "Edit", _ALWAYS | _NEW | _OLD | {"file_path", "content", "replace_all"}),
    HookInput("file", "MultiEdit", _ALWAYS | {"file_path", "content", "new_text", "edits"}),
    HookInput("stop", None, _ALWAYS),
    HookInput("prompt", None, _ALWAYS),
)
CONDITION_FIELDS = ("command", "file_path", "new_text", "old_text", "content", "transcript")
"""The fields that conditions can rely on."""
OTHER_TOOL_FIELDS = frozenset((
    "url", "prompt", "query", "path", "pattern", "glob", "notebook_path", "new_source", "subagent_type", "skill",
    "args", "plan", "todos", "questions", "shell_id", "task_id", "output_mode", "type",
))  # fmt: skip
"""Inputs of other tools: hookify tries the rules of every event on their calls."""


TEXT_FIELDS = frozenset((
    *CONDITION_FIELDS, *NEVER_SENT, *_NEW, *_OLD, *OTHER_TOOL_FIELDS, "description", "todos", "name", "message",
))  # fmt: skip
"""Fields that hold a text, as far as that is known: hookify compares other values as Python's `str` writes them."""


def other_tools_input(*, is_named: bool = True) -> HookInput:
    """Returns the input of a tool that has no event of its own: a tool that the rule names, or a tool of Claude Code
    itself.
    """
    if is_named:
        return HookInput("", "", _ALWAYS, has_any_field=True)
    return HookInput("", "", _ALWAYS | OTHER_TOOL_FIELDS | {"file_path"})


def hook_inputs_for(event: str) -> tuple[HookInput, ...]:
    """Returns the descriptions of the hook inputs on which hookify evaluates the rules of an event; none for an unknown
    event.
    """
    return tuple(hook_input for hook_input in HOOK_INPUTS if event in ("all", hook_input.event))
