"""Problems of values whose kind their key does not accept (spec K)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.syntax.frontmatter.quoting import single_quoted
from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.keys import INTERRUPT_MODES, Key, Kind
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import Entry, ListValue, MapValue, ScalarValue, Value

_CODE = "wrong-value-type"
# Texts that users and other YAML readers take for booleans.
_MEANT_FALSE = frozenset(("no", "off", "n", "false", "0", "disabled"))
_MEANT_TRUE = frozenset(("yes", "on", "y", "true", "1", "enabled"))
_CONFUSED_MODES = {
    "prose": "prose-only", "text": "prose-only", "text-only": "prose-only", "tool": "tool-only", "tools": "tool-only",
    "tools-only": "tool-only", "all": "always", "true": "always", "on": "always", "yes": "always", "false": "never",
    "off": "never", "no": "never", "none": "never",
}  # fmt: skip

# YAML reads `tool: edit` as a map.
_TOOL_AS_KEY = re.compile(r"tool:\s+([a-zA-Z0-9_-]+(?:\([^()\n]+\))?)")
# The keys of a rule object of ast-grep. The object may have only a pattern.
_AST_KEYS = "pattern|kind|regex|any|all|not|inside|has|follows|precedes|matches|rule|constraints|language|id"
_AST_RULE = re.compile(
    rf"\{{?\s*(?:pattern:[ \t]*([^\s\"'|>{{&!%@][^\n#]*)\Z|(?:{_AST_KEYS})\s*:)",
)


def inspect_values(file: InspectedFile) -> Iterator[Problem]:
    """Reports values that are ignored because of their kind."""
    for key, entry in file.known_entries:
        if Kind.BOOLEAN in key.kinds:
            yield from _boolean(key, entry.value)
        elif key.values is not None:
            yield from _interrupt_mode(entry.value)
        else:
            yield from _text(file, key, entry)


def _boolean(key: Key, value: Value) -> Iterator[Problem]:
    if isinstance(value, ScalarValue) and (value.data is None or isinstance(value.data, bool)):
        return
    word = value.text.value.strip().lower() if isinstance(value, ScalarValue) else ""
    default, other, harmless = (
        ("true", "false", _MEANT_TRUE) if key.name == "enabled" else ("false", "true", _MEANT_FALSE)
    )
    if word in harmless:
        return
    suggestion = other if word in _MEANT_FALSE | _MEANT_TRUE else None
    message = (
        f"Only the booleans `true` and `false` count for `{key.name}`, without quotes. This value is ignored, which is "
        f"the same as `{default}`."
    )
    yield Problem(_CODE, message, value.span, suggestion)


def _interrupt_mode(value: Value) -> Iterator[Problem]:
    if isinstance(value, ScalarValue) and (value.data is None or value.data in INTERRUPT_MODES):
        return
    input_text = value.text.value.strip() if isinstance(value, ScalarValue) else ""
    word = input_text.lower().replace("_", "-").replace(" ", "-")
    suggestion = word if word in INTERRUPT_MODES else _CONFUSED_MODES.get(word) or nearest_word(word, INTERRUPT_MODES)
    listing = ", ".join(f"`{mode}`" for mode in INTERRUPT_MODES)
    consequence = "This value is ignored, and the setting `ttsr.interruptMode` decides."
    message = f"`interruptMode` must be one of {listing}. {consequence}"
    yield Problem("invalid-interrupt-mode", message, value.span, suggestion)


def _text(file: InspectedFile, key: Key, entry: Entry) -> Iterator[Problem]:
    match entry.value:
        case ScalarValue(data=None | str()):
            return
        case ListValue(items=items) if Kind.STRINGS in key.kinds:
            for item in items:
                if not (isinstance(item, ScalarValue) and isinstance(item.data, str)):
                    yield _not_text(file, key, f"This item of `{key.name}` is", "and is left out", item)
        case ListValue():
            message = f"`{key.name}` takes one text, so this list is ignored."
            yield Problem(_CODE, message, entry.value.span)
        case _:
            yield _not_text(file, key, f"The value of `{key.name}` is", "and is ignored", entry.value)


def _not_text(file: InspectedFile, key: Key, label: str, effect: str, value: Value) -> Problem:
    source = file.source_text(value.span)
    if key.name == "astCondition" and isinstance(value, MapValue) and (rule := _AST_RULE.match(source)):
        message = (
            f"{label} a rule object of ast-grep, {effect}: only patterns are read. Write the pattern itself as text."
        )
        return Problem(_CODE, message, value.span, single_quoted(rule[1]) if rule[1] else None)
    if key.name == "scope" and (token := _TOOL_AS_KEY.fullmatch(source)):
        source = f"tool:{token[1]}"
    elif isinstance(value, MapValue) and (inner := _only_value(value, source)) is not None:
        [entry] = value.entries
        message = f"{label} a map, {effect}. `{entry.key}` means nothing here: write the value without it."
        suggestion = file.source_text(inner.span)
        return Problem(_CODE, message, value.span, None if "\n" in suggestion or "\r" in suggestion else suggestion)
    message = f"{label} {_kind(value)} for YAML, not text, {effect}. Write it in quotes."
    plain = source and source[0] not in "\"'|>" and "#" not in source
    return Problem(_CODE, message, value.span, single_quoted(source) if plain else None)


def _only_value(value: MapValue, source: str) -> Value | None:
    """Returns the value of a block map with one key, such as `include: [a, b]`; None for others, such as `{foo}`."""
    if source.startswith("{") or len(value.entries) != 1:
        return None
    inner = value.entries[0].value
    is_text = isinstance(inner, ScalarValue) and isinstance(inner.data, str) and inner.data.strip() != ""
    return inner if is_text or isinstance(inner, ListValue) else None


def _kind(value: Value) -> str:
    match value:
        case MapValue():
            return "a map"
        case ListValue():
            return "a list"
        case ScalarValue(data=bool()):
            return "a boolean"
        case ScalarValue(data=None):
            return "nothing"
        case ScalarValue():
            return "a number"
