"""Changes of the layout of hookify rule files: lines, indentation, delimiters, names of files."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from tests.recorders.hookify_rules import Draft, bash, mistake, mistake_in_list


@mistake_in_list
def items_at_column_0(line: str) -> str:
    return line.removeprefix("  ")


@mistake_in_list
def items_indented_by_one(line: str) -> str:
    return line.removeprefix(" ")


@mistake_in_list
def items_indented_by_four(line: str) -> str:
    return f"  {line}" if line.startswith(" ") else line


@mistake_in_list
def tabs(line: str) -> str:
    return re.sub("^( {2})+", lambda match: "\t" * (len(match[0]) // 2), line)


@mistake
def keys_indented(draft: Draft, chance: random.Random) -> bool:
    draft.lines = [f"  {line}" for line in draft.lines]
    return True


@mistake
def one_key_indented(draft: Draft, chance: random.Random) -> bool:
    return draft.change_line("event", lambda line: f" {line}")


@mistake
def block_scalar(draft: Draft, chance: random.Random) -> bool:
    return _move_value(draft, lambda: f" {chance.choice(('|', '>', '|-', '>-'))}")


@mistake
def value_on_next_line(draft: Draft, chance: random.Random) -> bool:
    return _move_value(draft, str)


def _move_value(draft: Draft, behind_colon: Callable[[], str]) -> bool:
    """Puts the value of the pattern on a line of its own."""
    found = draft.pattern_line()
    if found is None:
        return False
    position, head, value = found
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    draft.lines[position : position + 1] = [f"{head}:{behind_colon()}", f"{indent}{value}"]
    return True


@mistake
def comment_line(draft: Draft, chance: random.Random) -> bool:
    text = chance.choice(("# a rule", "# TODO: more", "  # indented", "# --- settings ---", "# a, b: c"))
    draft.lines.insert(chance.randrange(len(draft.lines)), text)
    return True


@mistake
def inline_maps(draft: Draft, chance: random.Random) -> bool:
    if not draft.is_list:
        return False
    position = draft.index("conditions")
    assert position is not None
    braces = chance.choice((("{", "}"), ("", "")))
    draft.lines[position + 1 :] = [
        f"  - {braces[0]}field: {of}, operator: {operator}, pattern: {pattern}{braces[1]}"
        for of, operator, pattern in draft.intent.conditions
    ]
    return True


@mistake
def conditions_as_flow_list(draft: Draft, chance: random.Random) -> bool:
    position = draft.index("conditions")
    if position is None:
        return False
    maps = ", ".join(
        f"{{field: {of}, operator: {operator}, pattern: '{pattern}'}}"
        for of, operator, pattern in draft.intent.conditions
    )
    draft.lines[position:] = [f"conditions: [{maps}]"]
    return True


@mistake
def pattern_first(draft: Draft, chance: random.Random) -> bool:
    position = draft.index("conditions")
    if position is None:
        return False
    draft.lines[position + 1 :] = [
        line
        for of, operator, pattern in draft.intent.conditions
        for line in (f"  - pattern: {pattern}", f"    field: {of}", f"    operator: {operator}")
    ]
    return True


@mistake_in_list
def each_key_an_item(line: str) -> str:
    return re.sub(r"^    (?=\w)", "  - ", line)


@mistake
def conditions_as_map(draft: Draft, chance: random.Random) -> bool:
    if not draft.is_list or len(draft.intent.conditions) > 1:
        return False
    draft.lines = [line.replace("  - ", "  ", 1) if line.startswith("  - ") else line for line in draft.lines]
    return True


@mistake
def conditions_as_texts(draft: Draft, chance: random.Random) -> bool:
    position = draft.index("conditions")
    if position is None:
        return False
    draft.lines[position + 1 :] = [
        f"  - {of} {operator} {pattern}" for of, operator, pattern in draft.intent.conditions
    ]
    return True


@mistake
def other_file_name(draft: Draft, chance: random.Random) -> bool:
    draft.path = chance.choice((
        ".claude/hookify.rule.md", ".claude/rule.local.md", ".claude/hookify.local.md", ".claude/hookify-rule.local.md",
        ".claude/hookify/rule.local.md", ".claude/rules/hookify.rule.local.md", "hookify.rule.local.md",
        ".claude/hookify.rule.local.MD", ".claude/Hookify.rule.local.md", ".claude/hookify.rule.local.markdown",
        ".claude/hookify.a.b.local.md", ".claude/hookify..local.md",
    ))  # fmt: skip
    return True


@mistake
def opening_delimiter(draft: Draft, chance: random.Random) -> bool:
    draft.opening = chance.choice(
        ("\n---\n", "", " ---\n", "# Rule\n---\n", "```\n---\n", "----\n", "--- \n", "--\n", "+++\n")
    )
    return True


@mistake
def closing_delimiter(draft: Draft, chance: random.Random) -> bool:
    draft.closing = chance.choice(("", "...\n", "----\n", "--- \n", " ---\n", "--\n", "***\n", "+++\n"))
    return True


@mistake
def dashes_in_value(draft: Draft, chance: random.Random) -> bool:
    return draft.change_line("name", lambda line: "name: rule --- main")


@mistake
def dashes_in_pattern(draft: Draft, chance: random.Random) -> bool:
    found = draft.pattern_line()
    if (
        found is None
        or draft.intent.event != "bash"
        or len(draft.intent.conditions) > 1
        or draft.value("operator") == "equals"
    ):
        return False
    draft.intent = replace(draft.intent, fires=(*draft.intent.fires, bash("a ---b")), silent=(bash("a"),))
    return draft.set_value("pattern", f"{found[2]}|a ---b")


@mistake
def table_in_body(draft: Draft, chance: random.Random) -> bool:
    draft.body = "| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\nDo not do that.\n"
    return True


@mistake
def empty_body(draft: Draft, chance: random.Random) -> bool:
    draft.body = ""
    return True


@mistake
def windows_line_ends(draft: Draft, chance: random.Random) -> bool:
    draft.lines = [f"{line}\r" for line in draft.lines]
    draft.opening = draft.opening.replace("\n", "\r\n")
    return True


@mistake
def trailing_spaces(draft: Draft, chance: random.Random) -> bool:
    draft.lines = [f"{line}  " for line in draft.lines]
    return True


@mistake
def no_space_after_colon(draft: Draft, chance: random.Random) -> bool:
    draft.lines = [line.replace(": ", ":", 1) for line in draft.lines]
    return True


@mistake
def nested_under_a_key(draft: Draft, chance: random.Random) -> bool:
    draft.lines = [f"{chance.choice(('hookify', 'rule'))}:", *(f"  {line}" for line in draft.lines)]
    return True


@mistake
def yaml_document(draft: Draft, chance: random.Random) -> bool:
    draft.lines.insert(0, "%YAML 1.2" if chance.random() < 0.5 else "!!map")
    return True
