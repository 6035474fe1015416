"""A parsed hookify rule file: the rule as hookify's own engine reads it (docs/hookify.md)."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.hookify.frontmatter import HookifyBlock, read_block
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Entry, ListValue, MapValue, ScalarValue, Value
from ttsr_ls.text import Span

_FIELDS = {"bash": "command", "file": "new_text"}
_DEFAULT_FIELD = "content"
_DEFAULT_OPERATOR = "regex_match"


class HookifyCondition(Struct, frozen=True):
    """One condition.

    `span` covers its pattern with its quotes, or the item if it has no pattern. A text is None if its key is not given.
    """

    field_text: MappedText | None
    operator_text: MappedText | None
    pattern_text: MappedText | None
    span: Span
    default_field: str = ""

    @property
    def field(self) -> str:
        """The field of the hook's input that the condition tests."""
        return self.default_field if self.field_text is None else self.field_text.value

    @property
    def operator(self) -> str:
        """The comparison operator."""
        return _DEFAULT_OPERATOR if self.operator_text is None else self.operator_text.value

    @property
    def pattern(self) -> str:
        """The pattern as hookify reads it; empty where none is given."""
        return "" if self.pattern_text is None else self.pattern_text.value


class HookifyFile(Struct, frozen=True):
    """A hookify rule: it fires on an event when all conditions hold, and never without conditions.

    `event` and `action` are None if they are no text. `block` is None if hookify finds no frontmatter.
    """

    file: PlainFile
    block: HookifyBlock | None
    enabled: bool
    event: str | None
    action: str | None
    conditions: tuple[HookifyCondition, ...]
    is_simple: bool
    """The condition was made of `pattern`."""
    unreadable_items: tuple[Span, ...] = ()
    """Items of `conditions` that are no maps: hookify rejects the file."""


def read_hookify(text: str, *, name: str, path: str) -> HookifyFile:
    """Reads a hookify rule file. Never raises on content."""
    block = read_block(text)
    frontmatter = None if block is None else block.frontmatter
    body_start = 0 if block is None else block.close.end
    file = PlainFile(name, path, text, frontmatter, _trimmed(text, body_start), None)
    event = _word(file, "event", "all")
    conditions, unreadable = _conditions(file)
    pattern = None if frontmatter is None else frontmatter.entry("pattern")
    is_simple = False
    if not conditions and pattern is not None and isinstance(pattern.value, ScalarValue) and pattern.value.text.value:
        is_simple = pattern.value.data is not False
        if is_simple:
            field = _DEFAULT_FIELD if event is None else _FIELDS.get(event, _DEFAULT_FIELD)
            conditions = (HookifyCondition(None, None, pattern.value.text, pattern.value.span, field),)
    enabled = _truth(file)
    return HookifyFile(
        file, block, enabled, event, _word(file, "action", "warn"), conditions, is_simple, tuple(unreadable)
    )


def _conditions(file: PlainFile) -> tuple[tuple[HookifyCondition, ...], list[Span]]:
    value = file.value("conditions")
    if not isinstance(value, ListValue):
        return (), []
    unreadable = [item.span for item in value.items if not isinstance(item, MapValue)]
    return tuple(_condition(item) for item in value.items if isinstance(item, MapValue)), unreadable


def _condition(item: MapValue) -> HookifyCondition:
    texts = {entry.key: entry.value.text for entry in item.entries if isinstance(entry.value, ScalarValue)}
    pattern = texts.get("pattern")
    span = item.span if pattern is None else pattern.span
    return HookifyCondition(texts.get("field"), texts.get("operator"), pattern, span)


def _word(file: PlainFile, key: str, default: str) -> str | None:
    """Returns the text of a key; None if its value is a list or a boolean."""
    entry = None if file.frontmatter is None else file.frontmatter.entry(key)
    if entry is None:
        return default
    return entry.value.data if isinstance(entry.value, ScalarValue) and isinstance(entry.value.data, str) else None


def _truth(file: PlainFile) -> bool:
    """Returns whether `enabled` is truthy in Python: each text except the empty one and `false`."""
    entry: Entry | None = None if file.frontmatter is None else file.frontmatter.entry("enabled")
    value: Value | None = None if entry is None else entry.value
    match value:
        case ScalarValue():
            return bool(value.data)
        case ListValue():
            return bool(value.items)
        case _:
            return True


def _trimmed(text: str, start: int) -> MappedText:
    body = text[start:]
    length = len(body.strip())
    begin = start + len(body) - len(body.lstrip()) if length else len(text)
    return MappedText.verbatim(text, Span(begin, begin + length))
