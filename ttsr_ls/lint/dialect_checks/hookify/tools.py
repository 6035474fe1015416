"""Checks `event` and `tool_matcher`: the calls on which a rule is evaluated.

hookify filters rules by their event for `Bash`, `Edit`, `Write`, `MultiEdit`, stops and prompts. On calls of all other
tools it evaluates the rules of every event, including unknown events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.lint.dialect_checks.hookify.reporting import guess, report
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.syntax.hookify.inputs import HOOK_INPUTS, HookInput, hook_inputs_for, other_tools_input
from ttsr_ls.syntax.hookify.keys import HOOKIFY_EVENTS
from ttsr_ls.syntax.hookify.possible_values import can_condition_hold
from ttsr_ls.syntax.hookify.rule_file import HookifyFile
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.rule_file import ScalarValue
from ttsr_ls.text import Span

_NEVER_CODE = "hookify-never-matches"
_KNOWN_TOOLS = tuple(each.tool for each in HOOK_INPUTS if each.tool is not None)
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


def tool_names(read: HookifyFile) -> tuple[ToolName, ...] | None:
    """Returns the names in `tool_matcher`; None if it admits every call, or makes hookify fail."""
    matcher = read.file.value("tool_matcher")
    if not isinstance(matcher, ScalarValue) or not isinstance(matcher.data, str) or matcher.data in ("", "*"):
        return None
    names: list[ToolName] = []
    at = 0
    for text in matcher.data.split("|"):
        names.append(ToolName(text, matcher.text.source_span(at, at + len(text))))
        at += len(text) + 1
    return tuple(names)


def tried_inputs(read: HookifyFile) -> tuple[HookInput, ...]:
    """Returns the inputs on which a rule is evaluated, without tools that it does not name."""
    names = tool_names(read)
    inputs = event_inputs(read)
    if names is None:
        return inputs
    texts = {name.text for name in names}
    others = (other_tools_input(),) if any(name.is_other_tool for name in names) else ()
    return (*(each for each in inputs if (each.tool or "") in texts), *others)


def event_inputs(read: HookifyFile) -> tuple[HookInput, ...]:
    """Returns the inputs of the event of a rule; none for an unknown event."""
    return () if read.event is None else hook_inputs_for(read.event)


def check_tools(read: HookifyFile) -> Iterator[Finding]:
    """Reports an unknown event, unknown tool names, and names of tools of another event."""
    names = tool_names(read)
    impossible = [name for name in names or () if not name.is_possible]
    is_dead = len(impossible) == len(names or ())
    # One of them is enough where none is right.
    for name in impossible[: 1 if is_dead else _MAX_NAMES]:
        yield _impossible(name, is_dead=is_dead)
    if not event_inputs(read):
        yield from _unknown_event(read, names)
    elif names is not None and not impossible and not tried_inputs(read):
        yield _other_event(read)


def _impossible(name: ToolName, *, is_dead: bool) -> Finding:
    effect = "so the rule never fires" if is_dead else "so this name admits no call"
    written = name.text.strip()
    meant = written if ToolName(written, name.span).is_possible and written else nearest_word(written, _KNOWN_TOOLS)
    remedy = "Write the full name of each tool, with `|` between the names and no spaces."
    if written in _EVERY_TOOL:
        meant, remedy = "*", "Write `*` for every tool, or leave `tool_matcher` out."
    elif written.startswith("mcp__") and _WILDCARDS & set(written):
        remedy = "Write the full name of each tool, such as `mcp__server__tool`, with `|` between the names."
    mistake = f"hookify compares names of tools exactly, and no tool is called {code(name.text, _MAX_SHOWN)}, {effect}."
    message = f"{mistake} {remedy}"
    fixes = () if meant is None or (meant == "*" and not is_dead) else (guess(f"Write {meant}", name.span, meant),)
    return report(_NEVER_CODE, message, name.span, *fixes, severity=None if is_dead else Severity.WARNING)


def _unknown_event(read: HookifyFile, names: tuple[ToolName, ...] | None) -> Iterator[Finding]:
    """An event that does not exist matters only for tools that have one."""
    effect = "so this rule never fires"
    code_of, severity = _NEVER_CODE, None
    if names is not None:
        with_event = [name for name in names if name.text in _KNOWN_TOOLS]
        if not with_event and not any(_may_mean_known(name) for name in names):
            return
        if with_event and any(name.is_other_tool for name in names):
            shown = ", ".join(f"`{name.text}`" for name in with_event)
            effect = f"so this rule fires on no call of {shown}"
            code_of, severity = "hookify-misses-calls", Severity.ERROR
    elif _may_fire_on_others(read):
        effect = "so hookify tries this rule only on calls of other tools, such as `Read`"
        code_of, severity = "hookify-misses-calls", Severity.ERROR
    yield _event_finding(read, effect, code_of, severity)


def _may_mean_known(name: ToolName) -> bool:
    return not name.is_other_tool and not name.text.startswith("mcp__")


def _may_fire_on_others(read: HookifyFile) -> bool:
    """Returns whether the conditions can hold on calls of other tools."""
    others = other_tools_input(is_named=False)
    return (
        not read.is_simple
        and bool(read.conditions)
        and all(can_condition_hold(each, others) for each in read.conditions)
    )


def _event_finding(read: HookifyFile, effect: str, code_of: str, severity: Severity | None) -> Finding:
    value = read.file.value("event")
    assert value is not None
    assert read.file.frontmatter is not None
    span = value.span if len(value.span) else read.file.frontmatter.by_name()["event"].key_span
    listed = ", ".join(f"`{known}`" for known in HOOKIFY_EVENTS)
    message = f"`event` must be one of {listed}, {effect}."
    words = (read.event or "").strip("[]\"' ").lower().split()
    meant = next((word for word in words[:1] if word in HOOKIFY_EVENTS), None)
    meant = meant or nearest_word(read.event or "", HOOKIFY_EVENTS)
    if len(words) > 1 and words[1].startswith("#"):
        message = f"`event` must be one of {listed}. hookify has no comments behind a value, {effect}."
    elif not isinstance(value, ScalarValue) or (read.event or "").startswith("["):
        message = f"`event` must be one of {listed}, not a list, {effect}. Write one file for each event."
    fixes = () if meant is None else (guess(f"Write {meant}", span, meant),)
    return report(code_of, message, span, *fixes, severity=severity)


def _other_event(read: HookifyFile) -> Finding:
    matcher = read.file.value("tool_matcher")
    assert isinstance(matcher, ScalarValue)
    tools = ", ".join(f"`{each.tool}`" for each in event_inputs(read) if each.tool) or "no tool"
    message = (
        f"No call of the event `{read.event}` passes this `tool_matcher`, so the rule never fires: the event is for "
        f"{tools}. Names are compared exactly, with `|` between them and no spaces."
    )
    return report(_NEVER_CODE, message, matcher.span)
