"""Recovers the intended form of an invalid scope token, for the common mistakes (spec S2)."""

from __future__ import annotations

import re

from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.nearest_word import nearest_word
from ttsr_ls.syntax.scope.tokens import scope_token, split_list
from ttsr_ls.syntax.scope.tool_names import is_known_tool
from ttsr_ls.text import Span

_NAME = r"[a-zA-Z0-9_-]+"
_ALTERNATIVES = re.compile(rf"(?:tool:)?({_NAME}(?:\|(?:tool:)?{_NAME})+)(\([^()]+\))?")
_PREFIX = re.compile(r"(?:tools?|tool[-_]?calls?):", re.IGNORECASE)
_SEPARATORS = re.compile(r"\s+(?:and|or)\s+|[\s;|/&+]+")
_SOME_PREFIX = re.compile(r"([A-Za-z_-]+)\s*:\s*([^:\s].*)")
_TOOL_WITH_OTHER_MARK = re.compile(r"tools?[.:;/=>-]+([A-Za-z_]+)((?:\([^()]+\))?)", re.IGNORECASE)
_PATH = re.compile(r"(?:[\w.*@-]+/)*[\w.{}-]*\*[\w.*{}-]*")
_TOOLS = re.compile(r"(?:tool:)?[\w-]*\*[\w*-]*")
_OTHER_BRACKETS = re.compile(rf"(?:tool[:.])?({_NAME})(?:\[([^\[\]()]+)\]|\{{([^{{}}()]+)\}}|:([^\s()]*[*./][^\s()]*))")
_IN_MARKS = re.compile(r"\(?([a-z]+)[.:)]")
_OTHER_COMMAS = re.compile("[，、；؛،]")
_MAX_UNCLOSED = 16
"""The most unclosed parentheses of one token that are closed. Users write fewer."""

_FORM = "A token is `text`, `thinking`, `tool`, or a tool with or without a path: `tool:edit(src/**)`."


def repair_scope_token(value: str) -> tuple[str, str | None]:
    """Returns what is wrong with an invalid token, in full sentences, and the replacement, if it is certain."""
    reason, suggestion = _repaired(value)
    return (reason, suggestion) if suggestion is None or _is_valid(suggestion) else (reason, None)


def _repaired(value: str) -> tuple[str, str | None]:
    if value == "*":
        return "A star names no stream.", "text, thinking, tool"
    if value.startswith("[") and value.endswith("]"):
        return "The brackets are part of the text here, because the list is in quotes.", value[1:-1].strip()
    if value.lower() in ("tool:*", "tool:"):
        return "`tool` alone stands for every tool.", "tool"
    if match := _ALTERNATIVES.fullmatch(value):
        names = (name.removeprefix("tool:") for name in match[1].split("|"))
        glob = match[2] or ""
        return "Alternatives are tokens of their own, with a comma between.", ", ".join(
            f"tool:{name}{glob}" for name in names
        )
    if _TOOLS.fullmatch(value):
        return "The names of tools have no wildcards: name each one, or write `tool` for all of them.", None
    if _PATH.fullmatch(value):
        return "A path is no stream; tools take one in parentheses.", f"tool:edit({value}), tool:write({value})"
    if (match := _OTHER_BRACKETS.fullmatch(value)) and is_known_tool(match[1].lower()):
        return "The path of a tool stands in parentheses.", f"tool:{match[1]}({match[2] or match[3] or match[4]})"
    if (match := _IN_MARKS.fullmatch(value)) and _is_known(match[1]):
        return "A stream is written without other characters.", match[1]
    if value.count("(") > value.count(")"):
        return "A parenthesis is not closed, so the rest of the text is part of it.", close_parentheses(value)
    if any(char.isspace() for char in value):
        return _repair_blanks(value)
    if value.endswith("()"):
        return "The parentheses are empty.", value[:-2].removesuffix(":")
    if value.lower().startswith("tool:("):
        return "A colon is followed by the name of a tool.", f"tool{value[5:]}"
    if value.lower().startswith(("text:", "thinking:")):
        return "Text and thinking have no parts to choose from.", value.partition(":")[0].lower()
    if (match := _PREFIX.match(value)) and not value.lower().startswith("tool:"):
        return "The prefix of a tool is `tool:`.", f"tool:{value[match.end() :]}"
    if (match := _SOME_PREFIX.fullmatch(value)) and _is_slip(match[1]):
        return f"`{match[1]}:` is no prefix; that of a tool is `tool:`.", f"tool:{match[2]}"
    if (match := _TOOL_WITH_OTHER_MARK.fullmatch(value)) and is_known_tool(match[1].lower()):
        return "Write a colon between `tool` and the name.", f"tool:{match[1]}{match[2]}"
    if (match := _SOME_PREFIX.fullmatch(value)) and _is_known(match[2]):
        return f"There is no prefix `{match[1]}:`.", match[2]
    if "," in value and ("'" in value or '"' in value):
        return "A comma within quotes does not separate tokens, and these quotes do not enclose one token.", None
    if len(parts := _OTHER_COMMAS.split(value)) > 1 and _is_valid(", ".join(parts)):
        return "Only commas separate tokens, and these are other characters.", ", ".join(part.strip() for part in parts)
    if len(parts := value.split("|")) > 1 and _is_valid(", ".join(parts)):
        return "Alternatives are tokens of their own, with a comma between.", ", ".join(parts)
    if value.count(")") > 1 or ")" in value[:-1]:
        return "A glob in parentheses cannot have a parenthesis itself; use braces.", None
    if _SEPARATORS.search(value):
        return _several(value)
    return _FORM, None


def _is_slip(prefix: str) -> bool:
    return prefix.lower() != "tool" and nearest_word(prefix, ("tool",)) is not None


def close_parentheses(value: str) -> str | None:
    """Returns a token with its parenthesis closed after its glob, if all parts that follow are tokens, or all are
    globs. The last of these tokens may be unclosed as well. None if the intention is not certain.
    """
    closed: list[str] = []
    for _ in range(_MAX_UNCLOSED):
        name, _, rest = value.partition("(")
        if rest.count("{") > rest.count("}"):
            return None
        first, *others = (part.value for part in split_list(_text(rest))) if rest.strip() else ("",)
        is_last_open = bool(others) and others[-1].count("(") > others[-1].count(")")
        value = others.pop() if is_last_open else ""
        known = [_is_known(part) for part in others]
        if "(" in first or (is_last_open and not _is_known(f"{value})")):
            return None
        if all(known):
            closed += [f"{name}({first})", *others]
        elif any(known) or is_last_open:
            return None
        else:
            closed += [f"{name}({part})" for part in (first, *others)]
        if not is_last_open:
            return ", ".join(closed)
    return None


def _repair_blanks(value: str) -> tuple[str, str | None]:
    joined_text = re.sub(r"\s*:\s*", ":", re.sub(r"\s+\(", "(", value))
    if _is_valid(joined_text):
        return "There is a blank in it.", joined_text
    return _several(value)


def _several(value: str) -> tuple[str, str | None]:
    parts = [part for part in _SEPARATORS.split(value) if part]
    suggestion = ", ".join(parts) if len(parts) > 1 and all(_is_known(part) for part in parts) else None
    return "Only commas separate tokens.", suggestion


def _is_known(part: str) -> bool:
    token = scope_token(_text(part))
    return token.stream is not None and (token.tool is None or is_known_tool(token.tool))


def _is_valid(tokens: str) -> bool:
    parts = split_list(_text(tokens))
    return bool(parts) and all(scope_token(part).stream is not None for part in parts)


def _text(value: str) -> MappedText:
    return MappedText.verbatim(value, Span(0, len(value)))
