"""Parses a JSON object while it is still being written, so that a tool call can be matched before it is complete.

Incremental: a chunk costs its own length, plus the copy of the one string that it extends. It never raises and never
recurses, whatever the input. If the text stops being valid JSON, the value so far stays.
"""

from __future__ import annotations

import re
from enum import Enum, auto

MAX_DEPTH = 64
"""Deeper nesting is not parsed: no tool has such arguments, and each level costs memory."""

MAX_LENGTH = 16 * 1024 * 1024
"""The part of the text after this length is not parsed; no model writes as much in one call."""

_BLANK = re.compile(r"[ \t\n\r]*")
_RUN = re.compile(r'(?:[^"\\]++|\\["\\/bfnrt])*+')
"""A part of a string that consists of characters and of complete two-character escapes."""
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_SIMPLE_ESCAPE = re.compile(r"\\(.)")
_SCALAR_RUN = re.compile(r"[-+.0-9A-Za-z]*")
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_LITERALS = {"true": True, "false": False, "null": None}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_MAX_SCALAR_LENGTH = 400

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


class _State(Enum):
    VALUE = auto()
    FIRST_ITEM = auto()
    FIRST_KEY = auto()
    KEY = auto()
    COLON = auto()
    NEXT = auto()
    KEY_STRING = auto()
    STRING = auto()
    SCALAR = auto()
    DONE = auto()
    BROKEN = auto()


class PartialObject:
    """A JSON object that grows chunk by chunk.

    `value` is the value so far: unfinished lists and objects with their elements so far, an unfinished string with its
    text so far (never half a surrogate pair). Numbers and literals appear once complete.
    """

    __slots__ = ("_escape", "_fed", "_high", "_keys", "_scalar", "_stack", "_state", "_string", "begun", "value")

    def __init__(self) -> None:
        self.value: dict[str, JsonValue] = {}
        self.begun = 0
        """The number of values of the outermost object that have started."""
        self._state = _State.VALUE
        self._stack: list[list[JsonValue] | dict[str, JsonValue]] = []
        self._keys: list[str] = []
        """The key under which the next value goes, for each open container; unused for lists."""
        self._string = ""
        self._escape = ""
        self._high = ""
        self._scalar = ""
        self._fed = 0

    @property
    def is_complete(self) -> bool:
        """True if the object was closed."""
        return self._state is _State.DONE

    @property
    def unfinished_key(self) -> str | None:
        """The key of the outermost object whose value is not complete yet; None if there is none."""
        if self._state is _State.DONE or not self._stack:
            return None
        if len(self._stack) > 1 or self._state in (_State.VALUE, _State.STRING, _State.SCALAR, _State.BROKEN):
            return self._keys[0]
        return None

    def feed(self, text: str) -> None:
        """Adds to the object's text."""
        self._fed += len(text)
        if self._fed > MAX_LENGTH:
            self._state = _State.BROKEN
        if self._state is _State.STRING and not self._escape and self._add_run(text):
            return
        position = 0
        while position < len(text) and self._state not in (_State.DONE, _State.BROKEN):
            if self._state in (_State.STRING, _State.KEY_STRING):
                position = self._read_string(text, position)
            elif self._state is _State.SCALAR:
                position = self._read_scalar(text, position)
            else:
                position = _end(_BLANK, text, position)
                if position < len(text):
                    position += self._structure(text[position])
        if self._state is _State.STRING:
            self._put(self._string)

    def _add_run(self, text: str) -> bool:
        """Adds all of `text` to the open string; returns False if the string ends within it. The fast path for nearly
        every chunk of a long text."""
        if _end(_RUN, text, 0) < len(text):
            return False
        self._grow(_unescaped(text))
        self._put(self._string)
        return True

    def _structure(self, char: str) -> int:
        """Handles a character outside of strings and scalars. Returns how many were consumed: none if a scalar
        begins."""
        match self._state, char:
            case _State.VALUE | _State.FIRST_ITEM, "{":
                self._open({}, _State.FIRST_KEY)
            case _State.VALUE | _State.FIRST_ITEM, _ if not self._stack:
                self._state = _State.BROKEN
            case _State.VALUE | _State.FIRST_ITEM, "[":
                self._open([], _State.FIRST_ITEM)
            case _State.VALUE | _State.FIRST_ITEM, '"':
                self._string, self._state = "", _State.STRING
                self._add("")
            case _State.FIRST_ITEM, "]":
                self._close()
            case _State.VALUE | _State.FIRST_ITEM, _:
                self._scalar, self._state = "", _State.SCALAR
                return 0
            case _State.FIRST_KEY, "}":
                self._close()
            case _State.FIRST_KEY | _State.KEY, '"':
                self._string, self._state = "", _State.KEY_STRING
            case _State.COLON, ":":
                self._state = _State.VALUE
            case _State.NEXT, ",":
                self._state = _State.KEY if isinstance(self._stack[-1], dict) else _State.VALUE
            case _State.NEXT, "}" if isinstance(self._stack[-1], dict):
                self._close()
            case _State.NEXT, "]" if isinstance(self._stack[-1], list):
                self._close()
            case _:
                self._state = _State.BROKEN
        return 1

    def _read_string(self, text: str, position: int) -> int:
        if self._escape:
            return self._read_escape(text, position)
        end = _end(_RUN, text, position)
        if end > position:
            self._grow(_unescaped(text[position:end]))
        if end == len(text):
            return end
        if text[end] == "\\":
            self._escape = "\\"
        else:
            self._grow("")
            self._end_string()
        return end + 1

    def _read_escape(self, text: str, position: int) -> int:
        self._escape += text[position]
        if self._escape[1] != "u":
            char = _ESCAPES.get(self._escape[1])
            if char is None:
                self._state = _State.BROKEN
            else:
                self._grow(char)
            self._escape = ""
        elif len(self._escape) == 6:
            if _HEX.fullmatch(self._escape, 2):  # `int` alone would accept signs, blanks and other digits.
                self._unit(chr(int(self._escape[2:], 16)))
            else:
                self._state = _State.BROKEN
            self._escape = ""
        return position + 1

    def _unit(self, unit: str) -> None:
        if self._high and "\udc00" <= unit <= "\udfff":
            pair = (self._high + unit).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
            self._high = ""
            self._string += pair
        elif "\ud800" <= unit <= "\udbff":
            self._grow("")
            self._high = unit
        else:
            self._grow(unit)

    def _grow(self, text: str) -> None:
        """Adds text to the string, after a pending high surrogate, which stays unpaired."""
        self._string += self._high + text
        self._high = ""

    def _end_string(self) -> None:
        if self._state is _State.KEY_STRING:
            self._keys[-1], self._state = self._string, _State.COLON
        else:
            self._put(self._string)
            self._state = _State.NEXT

    def _read_scalar(self, text: str, position: int) -> int:
        end = _end(_SCALAR_RUN, text, position)
        self._scalar += text[position:end]
        if len(self._scalar) > _MAX_SCALAR_LENGTH:
            self._state = _State.BROKEN
        elif end < len(text):
            self._end_scalar()
        return end

    def _end_scalar(self) -> None:
        if self._scalar in _LITERALS:
            self._add(_LITERALS[self._scalar])
        elif (number := _SCALAR.fullmatch(self._scalar)) is not None:
            self._add(float(self._scalar) if number[1] or number[2] else int(self._scalar))
        else:
            self._state = _State.BROKEN
            return
        self._state = _State.NEXT

    def _open(self, container: list[JsonValue] | dict[str, JsonValue], at: _State) -> None:
        if len(self._stack) >= MAX_DEPTH:
            self._state = _State.BROKEN
            return
        if self._stack:
            self._add(container)
        elif isinstance(container, dict):
            self.value = container
        self._stack.append(container)
        self._keys.append("")
        self._state = at

    def _close(self) -> None:
        self._stack.pop()
        self._keys.pop()
        self._state = _State.NEXT if self._stack else _State.DONE

    def _add(self, value: JsonValue) -> None:
        """Adds a new value to the innermost open container."""
        container = self._stack[-1]
        self.begun += len(self._stack) == 1
        if isinstance(container, dict):
            container[self._keys[-1]] = value
        else:
            container.append(value)

    def _put(self, value: JsonValue) -> None:
        """Replaces the value that was added last."""
        container = self._stack[-1]
        container[self._keys[-1] if isinstance(container, dict) else -1] = value  # type: ignore[index]


def _unescaped(run: str) -> str:
    return _SIMPLE_ESCAPE.sub(lambda escape: _ESCAPES[escape[1]], run) if "\\" in run else run


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    assert match is not None, "these patterns match the empty text"
    return match.end()
