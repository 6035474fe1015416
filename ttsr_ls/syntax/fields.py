"""Reads the fields of a rule from its frontmatter as the omp dialect does (spec K, C1, C2)."""

from __future__ import annotations

import re

from ttsr_ls.syntax.keys import INTERRUPT_MODES, LEGACY_CONDITION_KEYS
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import Fields, Frontmatter, ListValue, ScalarValue, ScopeToken, Value
from ttsr_ls.syntax.scope.tokens import distinct_texts, inferred_token, list_tokens, scope_token
from ttsr_ls.syntax.whitespace import WHITESPACE, trim_text

SHORTHAND_TOOLS = ("edit", "write")
CATCH_ALL = ".*"

_NO_GLOB = re.compile(r"[\\^$+|()]")
_GLOB = re.compile(r"[?*\[\]{}]")
_EXTENSION_GLOB = re.compile(rf"\*\.[^/{re.escape(WHITESPACE)}]+")
_AROUND_COMMA = re.compile(rf"[{re.escape(WHITESPACE)}]*,[{re.escape(WHITESPACE)}]*")


def read_fields(frontmatter: Frontmatter | None) -> Fields:
    """Normalises the value of every known key. Ignores unknown keys and values of the wrong kind."""
    values = {name: entry.value for name, entry in frontmatter.by_name().items()} if frontmatter else {}
    authored = string_values(_first(values, "condition", *LEGACY_CONDITION_KEYS))
    shorthand = tuple(text for text in authored if is_file_glob(text.value))
    conditions = tuple(text for text in authored if not is_file_glob(text.value))
    if shorthand and not conditions:
        conditions = (MappedText.joined([(CATCH_ALL, shorthand[0].span)], shorthand[0].span),)
    enabled, mode = _data(values.get("enabled")), _data(values.get("interruptMode"))
    description = _data(values.get("description"))
    question = values.get("question")
    return Fields(
        enabled=enabled is not False,
        description=description if isinstance(description, str) else None,
        globs=_strings(values.get("globs")),
        always_apply=_data(values.get("alwaysApply")) is True,
        conditions=conditions,
        ast_conditions=string_values(values.get("astCondition")),
        question=next(iter(string_values(question)), None) if isinstance(question, ScalarValue) else None,
        scope=_scope(string_values(values.get("scope")), shorthand),
        agents=distinct_texts(_agent(token) for token in list_tokens(string_values(values.get("agents")))),
        interrupt_mode=mode if isinstance(mode, str) and mode in INTERRUPT_MODES else None,
        shorthand_globs=shorthand,
    )


def string_values(value: Value | None) -> tuple[MappedText, ...]:
    """Returns the strings of a field that takes a string or a list of them: trimmed, without empty ones and duplicates
    (spec N1).
    """
    return distinct_texts(text for raw in _strings(value) if (text := _trimmed(raw)).value)


def is_file_glob(text: str) -> bool:
    """Returns whether a condition is read as a shorthand for a scope on files (spec C1)."""
    if _NO_GLOB.search(text) or not _GLOB.search(text):
        return False
    return "/" in text or _EXTENSION_GLOB.fullmatch(text) is not None


def _trimmed(text: MappedText) -> MappedText:
    """Returns a whole value without the white space at its ends. Its span still has the quotes."""
    part = trim_text(text)
    return MappedText(part.value, text.span, part.segments)


def _strings(value: Value | None) -> tuple[MappedText, ...]:
    items = value.items if isinstance(value, ListValue) else (value,)
    return tuple(item.text for item in items if isinstance(item, ScalarValue) and isinstance(item.data, str))


def _first(values: dict[str, Value], *names: str) -> Value | None:
    """Returns the first value that is not null."""
    for name in names:
        value = values.get(name)
        if value is not None and not (isinstance(value, ScalarValue) and value.data is None):
            return value
    return None


def _data(value: Value | None) -> str | int | float | bool | None:
    return value.data if isinstance(value, ScalarValue) else None


def _scope(authored: tuple[MappedText, ...], shorthand: tuple[MappedText, ...]) -> tuple[ScopeToken, ...]:
    tokens = {text.value: scope_token(text) for text in list_tokens(authored)}
    for glob in shorthand:
        for tool in SHORTHAND_TOOLS:
            token = inferred_token(tool, glob)
            tokens.setdefault(token.text.value, token)
    return tuple(tokens.values())


def _agent(token: MappedText) -> MappedText:
    value = _AROUND_COMMA.sub(",", token.value).lower()
    if value == token.value:
        return token
    if len(value) == len(token.value):
        return MappedText(value, token.span, token.segments)
    return MappedText.joined([(value, token.span)], token.span)
