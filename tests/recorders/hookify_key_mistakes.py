"""Changes of keys and of values that have a vocabulary: events, operators, fields, actions, tools."""

from __future__ import annotations

import random

from tests.recorders.hookify_rules import Draft, mistake


@mistake
def event_as_list(draft: Draft, chance: random.Random) -> bool:
    event = draft.intent.event
    if chance.random() < 0.5:
        return draft.set_value("event", chance.choice((f"[{event}]", f'["{event}", all]', f"{event}, all")))
    position = draft.index("event")
    if position is None:
        return False
    draft.lines[position : position + 1] = ["event:", f"  - {event}"]
    return True


@mistake
def other_event_name(draft: Draft, chance: random.Random) -> bool:
    names = {
        "bash": ("Bash", "BASH", "shell", "command", "PreToolUse", "tool"), "file": ("File", "edit", "write", "Write"),
        "stop": ("Stop", "end"), "prompt": ("UserPromptSubmit", "user"), "all": ("any", "*", "All"),
    }  # fmt: skip
    return draft.choose(chance, "event", names[draft.intent.event])


@mistake
def no_event(draft: Draft, chance: random.Random) -> bool:
    position = draft.index("event")
    if position is None or len(draft.lines) < 2:
        return False
    del draft.lines[position]
    return True


@mistake
def wide_event(draft: Draft, chance: random.Random) -> bool:
    return draft.set_value("event", "all")


@mistake
def wrong_event(draft: Draft, chance: random.Random) -> bool:
    if draft.value("field") == "transcript":
        return False  # Every event has a transcript.
    # A pattern without a field is tried on commands and on files alike, so only the other events are wrong for it.
    events = ("bash", "file", "stop", "prompt") if draft.value("field") else ("stop", "prompt")
    other_names = [event for event in events if event != draft.intent.event]
    return draft.set_value("event", chance.choice(other_names))


@mistake
def quoted_event(draft: Draft, chance: random.Random) -> bool:
    return draft.set_value("event", f'"{draft.intent.event}"')


@mistake
def other_operator_name(draft: Draft, chance: random.Random) -> bool:
    values = (
        "regex", "matches", "match", "not_regex_match", "not_equals", "Contains", "regex-match", "equal",
        "startswith", "ends-with", "not_match", "in", "REGEX_MATCH", "does_not_contain", "glob",
    )  # fmt: skip
    return draft.choose(chance, "operator", values)


@mistake
def no_operator(draft: Draft, chance: random.Random) -> bool:
    position = draft.index("operator")
    if position is None or draft.intent.conditions[-1][1] != "regex_match":
        return False
    del draft.lines[position]
    return True


@mistake
def other_field_name(draft: Draft, chance: random.Random) -> bool:
    values = ("path", "filename", "cmd", "text", "new_content", "filepath", "tool_input.command", "Command",
              "file", "diff", "user_prompt", "reason", "newText", "old_content", "body")  # fmt: skip
    return draft.choose(chance, "field", values)


@mistake
def no_field(draft: Draft, chance: random.Random) -> bool:
    return draft.change_line("field", lambda line: "  -")


@mistake
def other_action(draft: Draft, chance: random.Random) -> bool:
    values = ("deny", "Block", "BLOCK", "blocked", "error", "reject", "ask", "[block]", '"block"', "block!")
    if draft.intent.action != "block":
        return False
    return draft.choose(chance, "action", values)


@mistake
def key_case(draft: Draft, chance: random.Random) -> bool:
    key = chance.choice(("event", "pattern", "conditions", "enabled", "action"))
    position = draft.index(key)
    if position is None:
        return False
    draft.lines[position] = draft.lines[position].replace(
        key, chance.choice((key.capitalize(), key.upper(), f'"{key}"')), 1
    )
    return True


@mistake
def key_typo(draft: Draft, chance: random.Random) -> bool:
    key, typo = chance.choice((
        ("event", "events"), ("pattern", "patern"), ("conditions", "condition"), ("enabled", "enable"),
        ("action", "actions"),         ("operator", "op"), ("field", "fields"), ("operator", "operater"),
    ))  # fmt: skip
    return draft.change_line(key, lambda line: line.replace(f"{key}:", f"{typo}:", 1))


@mistake
def tool_matcher(draft: Draft, chance: random.Random) -> bool:
    tools = {
        "bash": ("Bash", "bash", "Bash|Edit", "[Bash]", "*", "'Bash'", "Edit", "Bash | Edit", ".*"),
        "file": ("Edit|Write", "Edit, Write", "Edit | Write", "*", "edit|write", "^(Edit|Write)$", "Bash"),
        "stop": ("*", "Stop", "Bash"), "prompt": ("*", "Bash"), "all": ("Bash", "*", "bash"),
    }  # fmt: skip
    draft.lines.insert(1, f"tool_matcher: {chance.choice(tools[draft.intent.event])}")
    return True


@mistake
def duplicate_key(draft: Draft, chance: random.Random) -> bool:
    key = chance.choice(("event", "pattern", "action", "enabled"))
    if draft.value(key) is None or (key == "pattern" and draft.is_list):
        return False
    draft.lines.append(
        {"event": "event: prompt", "pattern": "pattern: zzz", "action": "action: warn"}.get(key, "enabled: false")
    )
    return True


@mistake
def more_keys(draft: Draft, chance: random.Random) -> bool:
    draft.lines.insert(
        1, chance.choice(("version: 1.0", "author: me", "description: A rule: with a colon", "tags: [a, b]"))
    )
    return True
