"""What a hookify rule file is read into.

hookify has a reader of its own for frontmatter: a value is what stands behind the colon without the quotes around it,
backslashes and all, and all its patterns are Python's, tried without regard to case.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.plain_reader import PlainFile, read_plain
from ttsr_ls.syntax.rule_file import ListValue, MapValue, ScalarValue
from ttsr_ls.text import Span

_FIELDS = {"bash": "command", "file": "new_text"}


class HookifyCondition(Struct, frozen=True):
    """One condition; `pattern` is as hookify reads it, `span` its place in the file with its quotes."""

    field: str
    operator: str
    pattern: str
    span: Span


class HookifyFile(Struct, frozen=True):
    """A hookify rule: it fires on an event when all conditions hold, and never without one.

    A `pattern` is one condition on the field that belongs to the event: `content` where the event has none of its own.
    """

    file: PlainFile
    enabled: bool
    event: str
    action: str
    conditions: tuple[HookifyCondition, ...]
    is_simple: bool
    """The condition was made of `pattern`."""


def read_hookify(text: str, *, name: str, path: str) -> HookifyFile:
    """Read a file of hookify; never raises on what it says."""
    file = read_plain(text, name=name, path=path)
    event = _word(file, "event", "all")
    conditions = _conditions(file)
    pattern = file.value("pattern")
    is_simple = not conditions and isinstance(pattern, ScalarValue)
    if is_simple and isinstance(pattern, ScalarValue):
        conditions = (
            HookifyCondition(_FIELDS.get(event, "content"), "regex_match", _raw(file, pattern.text), pattern.span),
        )
    enabled = file.value("enabled")
    is_off = isinstance(enabled, ScalarValue) and enabled.text.value.strip().lower() == "false"
    return HookifyFile(file, not is_off, event, _word(file, "action", "warn"), conditions, is_simple)


def _conditions(file: PlainFile) -> tuple[HookifyCondition, ...]:
    value = file.value("conditions")
    if not isinstance(value, ListValue):
        return ()
    found = []
    for item in value.items:
        if isinstance(item, MapValue):
            parts = {entry.key: entry.value for entry in item.entries if isinstance(entry.value, ScalarValue)}
            texts = {key: _raw(file, part.text) for key, part in parts.items()}
            span = parts["pattern"].span if "pattern" in parts else item.span
            found.append(
                HookifyCondition(
                    texts.get("field", ""), texts.get("operator", "regex_match"), texts.get("pattern", ""), span
                )
            )
    return tuple(found)


def _word(file: PlainFile, key: str, default: str) -> str:
    text = file.text_value(key)
    return default if text is None else text.value


def _raw(file: PlainFile, text: MappedText) -> str:
    return file.text[text.span.start : text.span.end].strip().strip('"').strip("'")
