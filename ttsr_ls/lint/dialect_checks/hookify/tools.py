"""Checks `event` and `tool_matcher`: the calls on which a rule is evaluated.

hookify filters rules by their event for `Bash`, `Edit`, `Write`, `MultiEdit`, stops and prompts. On calls of all other
tools it evaluates the rules of every event, including unknown events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import guess, report
from ttsr_ls.syntax.hookify.inputs import HOOK_INPUTS, HookInput, hook_inputs_for, other_tools_input
from ttsr_ls.syntax.hookify.keys import HOOKIFY_EVENTS
from ttsr_ls.syntax.hookify.possible_values import can_condition_hold
from ttsr_ls.syntax.hookify.rule_file import HookifyFile
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import ScalarValue
from ttsr_ls.text import Span

_NEVER_CODE = "hookify-never-matches"
_KNOWN_TOOLS = tuple(hook_input.tool for hook_input in HOOK_INPUTS if hook_input.tool is not None)
_HOOK_EVENTS = ("PreToolUse", "PostToolUse", "Stop", "SubagentStop", "UserPromptSubmit", "Notification")
# Names of tools are CamelCase in Claude Code itself, and those of MCP servers have a prefix.
_OTHER_TOOL = re.compile(r"[A-Z][A-Za-z0-9]*|mcp__[A-Za-z0-9_-]+")
_EVERY_TOOL = frozenset((".*", ".+", "**", "all", "any", "ALL"))
_WILDCARDS = frozenset("*?[](){}.+\\^$")
_MAX_NAMES = 20
_MAX_SHOWN = 60


class ToolName(Struct, frozen=True):
    """One of the names in `tool_matcher`; empty between two adjacent `|`, which admits stops and prompts."""

    text: str
    span: Span

    @property
    def is_other_tool(self) -> bool:
        """True if a tool without an event can have this name."""
        return _OTHER_TOOL.fullmatch(self.text) is not None and self.text not in (*_KNOWN_TOOLS, *_HOOK_EVENTS)

    @property
    def is_possible(self) -> bool:
        """True if any tool has exactly this name."""
        return not self.text or self.text in _KNOWN_TOOLS or self.is_other_tool


def tool_names(file: HookifyFile) -> tuple[ToolName, ...] | None:
    """Returns the names in `tool_matcher`; None if it admits every call, or makes hookify fail."""
    matcher = file.file.value("tool_matcher")
    if not isinstance(matcher, ScalarValue) or not isinstance(matcher.data, str) or matcher.data in ("", "*"):
        return None
    names: list[ToolName] = []
    position = 0
    for text in matcher.data.split("|"):
        names.append(ToolName(text, matcher.text.source_span(position, position + len(text))))
        position += len(text) + 1
    return tuple(names)


def tried_inputs(file: HookifyFile) -> tuple[HookInput, ...]:
    """Returns the inputs on which a rule is evaluated, without tools that it does not name."""
    names = tool_names(file)
    inputs = event_inputs(file)
    if names is None:
        return inputs
    texts = {name.text for name in names}
    others = (other_tools_input(),) if any(name.is_other_tool for name in names) else ()
    return (*(hook_input for hook_input in inputs if (hook_input.tool or "") in texts), *others)


def event_inputs(file: HookifyFile) -> tuple[HookInput, ...]:
    """Returns the inputs of the event of a rule; none for an unknown event."""
    return () if file.event is None else hook_inputs_for(file.event)


def check_tools(file: HookifyFile) -> Iterator[Finding]:
    """Reports an unknown event, unknown tool names, and names of tools of another event."""
    names = tool_names(file)
    impossible = [name for name in names or () if not name.is_possible]
    is_dead = len(impossible) == len(names or ())
    # If no name is valid, one finding is enough.
    for name in impossible[: 1 if is_dead else _MAX_NAMES]:
        yield _impossible(name, is_dead=is_dead)
    if not event_inputs(file):
        yield from _unknown_event(file, names)
    elif names is not None and not impossible and not tried_inputs(file):
        yield _other_event(file)


def _impossible(name: ToolName, *, is_dead: bool) -> Finding:
    effect = "so the rule never fires" if is_dead else "so this name admits no call"
    source = name.text.strip()
    suggestion = source if ToolName(source, name.span).is_possible and source else nearest_word(source, _KNOWN_TOOLS)
    remedy = "Write the full name of each tool, with `|` between the names and no spaces."
    if source in _EVERY_TOOL:
        suggestion, remedy = "*", "Write `*` for every tool, or remove `tool_matcher`."
    elif source.startswith("mcp__") and _WILDCARDS & set(source):
        remedy = "Write the full name of each tool, such as `mcp__server__tool`, with `|` between the names."
    mistake = f"hookify compares tool names exactly, and no tool is called {code(name.text, _MAX_SHOWN)}, {effect}."
    message = f"{mistake} {remedy}"
    fixes = (
        ()
        if suggestion is None or (suggestion == "*" and not is_dead)
        else (guess(f"Write {suggestion}", name.span, suggestion),)
    )
    return report(_NEVER_CODE, message, name.span, *fixes, severity=None if is_dead else Severity.WARNING)


def _unknown_event(file: HookifyFile, names: tuple[ToolName, ...] | None) -> Iterator[Finding]:
    """Reports an unknown event, unless all tools that the rule names have no event."""
    effect = "so this rule never fires"
    code_of, severity = _NEVER_CODE, None
    if names is not None:
        with_event = [name for name in names if name.text in _KNOWN_TOOLS]
        if not with_event and all(name.is_other_tool or name.text.startswith("mcp__") for name in names):
            return
        if with_event and any(name.is_other_tool for name in names):
            display = ", ".join(f"`{name.text}`" for name in with_event)
            effect = f"so this rule fires on no call of {display}"
            code_of, severity = "hookify-misses-calls", Severity.ERROR
    elif _may_fire_on_others(file):
        effect = "so hookify evaluates this rule only on calls of other tools, such as `Read`"
        code_of, severity = "hookify-misses-calls", Severity.ERROR
    yield _event_finding(file, effect, code_of, severity)


def _may_fire_on_others(file: HookifyFile) -> bool:
    """Returns whether the conditions can hold on calls of other tools."""
    hook_input = other_tools_input(is_named=False)
    return (
        not file.is_simple
        and bool(file.conditions)
        and all(can_condition_hold(condition, hook_input) for condition in file.conditions)
    )


def _event_finding(file: HookifyFile, effect: str, code_of: str, severity: Severity | None) -> Finding:
    value = file.file.value("event")
    assert value is not None
    assert file.file.frontmatter is not None
    span = value.span if len(value.span) else file.file.frontmatter.by_name()["event"].key_span
    listing = ", ".join(f"`{event}`" for event in HOOKIFY_EVENTS)
    message = f"`event` must be one of {listing}, {effect}."
    words = (file.event or "").strip("[]\"' ").lower().split()
    suggestion = next((word for word in words[:1] if word in HOOKIFY_EVENTS), None)
    suggestion = suggestion or nearest_word(file.event or "", HOOKIFY_EVENTS)
    if len(words) > 1 and words[1].startswith("#"):
        message = f"`event` must be one of {listing}. hookify has no comments after a value, {effect}."
    elif not isinstance(value, ScalarValue) or (file.event or "").startswith("["):
        message = f"`event` must be one of {listing}, not a list, {effect}. Write one file for each event."
    fixes = () if suggestion is None else (guess(f"Write {suggestion}", span, suggestion),)
    return report(code_of, message, span, *fixes, severity=severity)


def _other_event(file: HookifyFile) -> Finding:
    matcher = file.file.value("tool_matcher")
    assert isinstance(matcher, ScalarValue)
    tools = ", ".join(f"`{hook_input.tool}`" for hook_input in event_inputs(file) if hook_input.tool) or "no tool"
    message = (
        f"No call of the event `{file.event}` passes this `tool_matcher`, so the rule never fires: the event is for "
        f"{tools}. Names are compared exactly, with `|` between them and no spaces."
    )
    return report(_NEVER_CODE, message, matcher.span)
