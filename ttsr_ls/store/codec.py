"""Turn events as JSON values and back: one line of a session log a record.

Driven by the types of `engine.turn_events`, so that a new event needs no code here. Reading trusts nothing: whatever a
line holds, the result is an event whose fields have their declared types, or a `CodecError`.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, cast

from ttsr_ls.engine.turn_events import VERSION, TurnEvent
from ttsr_ls.errors import TtsrError

_Decoder = Callable[[Any], Any]


class CodecError(TtsrError):
    """A line is not a record that this version can read; the text says why."""


class UnknownRecordError(CodecError):
    """A line is a record, but of a newer or older vocabulary; `sequence` is its number as far as that can be read."""

    def __init__(self, message: str, sequence: int | None) -> None:
        super().__init__(message)
        self.sequence = sequence


class _UnknownKindError(CodecError):
    pass


@dataclass(frozen=True, slots=True)
class Record:
    """An event with its place in the log: `sequence` counts from 1, `time` is milliseconds since the Unix epoch."""

    sequence: int
    time: int
    event: TurnEvent


def encode_record(record: Record) -> bytes:
    """The line for a record, with its line end."""
    value = {"v": VERSION, "seq": record.sequence, "t": record.time, "event": _encode(record.event)}
    return encode_line(value)


def encode_line(value: object) -> bytes:
    """`value` as one line of JSON in UTF-8."""
    try:
        return (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
    except UnicodeEncodeError:  # A lone surrogate, which an agent's JSON may well contain, exists only as an escape.
        return (json.dumps(value, separators=(",", ":")) + "\n").encode()


def decode_line(line: bytes) -> Any:
    """The JSON value of a line. Raises CodecError."""
    try:
        return json.loads(line)
    except RecursionError:
        raise CodecError("is nested too deeply") from None
    except ValueError as error:  # Not JSON, not UTF-8, or a number of thousands of digits.
        raise CodecError(f"is not JSON ({error})") from None


def decode_record(line: bytes) -> Record:
    """The record of a line. Raises CodecError, UnknownRecordError where another version of this program wrote it."""
    value = decode_line(line)
    if not isinstance(value, dict):
        raise CodecError("is not a JSON object")
    number = value.get("seq")
    sequence = number if type(number) is int else None
    if value.get("v") != VERSION:
        text = f"has version {str(value.get('v'))[:20]}, this program reads version {VERSION}"
        raise UnknownRecordError(text, sequence)
    try:
        event = _tagged(_members(TurnEvent), value.get("event"))
    except _UnknownKindError as error:
        raise UnknownRecordError(str(error), sequence) from None
    return Record(_int(number), _int(value.get("t")), cast(TurnEvent, event))


def _encode(value: object) -> object:
    if value is None or isinstance(value, str | int):  # Before dataclasses: a StrEnum is its string.
        return value
    if isinstance(value, tuple):
        return [_encode(item) for item in value]
    kind: Any = type(value)
    encoded: dict[str, object] = {"kind": kind.__name__}
    for name in _field_names(kind):
        encoded[name] = _encode(getattr(value, name))
    return encoded


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind))


@cache
def _members(union: Any) -> dict[str, type]:
    return {member.__name__: member for member in typing.get_args(union)}


def _tagged(members: dict[str, type], value: Any) -> Any:
    if not isinstance(value, dict):
        raise CodecError(f"has {_kind(value)} where one of {', '.join(members)} belongs")
    kind = value.get("kind")
    if not isinstance(kind, str):
        raise CodecError(f"has {_kind(kind)} for the kind of one of {', '.join(members)}")
    if kind not in members:
        raise _UnknownKindError(f"has a {kind[:40]!r} where one of {', '.join(members)} belongs")
    return _construct(members[kind], value)


def _construct(kind: type, value: dict[str, Any]) -> Any:
    arguments: dict[str, Any] = {}
    for name, (required, decoder) in _plan(kind).items():
        if name in value:
            arguments[name] = decoder(value[name])
        elif required:
            raise CodecError(f"has a {kind.__name__} without {name}")
    return kind(**arguments)


@cache
def _plan(kind: type) -> dict[str, tuple[bool, _Decoder]]:
    hints = typing.get_type_hints(kind)
    return {item.name: (item.default is MISSING, _decoder(hints[item.name])) for item in fields(kind)}


def _decoder(hint: Any) -> _Decoder:
    if hint in _SCALARS:
        return _SCALARS[hint]
    if typing.get_origin(hint) is tuple:
        item = _decoder(typing.get_args(hint)[0])
        return lambda value: _tuple(item, value)
    if isinstance(hint, types.UnionType):
        return _union_decoder(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return lambda value: _enum(hint, value)
    if isinstance(hint, type) and is_dataclass(hint):
        members: dict[str, type] = {hint.__name__: hint}
        return lambda value: _tagged(members, value)
    raise TypeError(f"the log has no form for {hint!r}")


def _union_decoder(hint: Any) -> _Decoder:
    options = [option for option in typing.get_args(hint) if option is not type(None)]
    if len(options) == 1:
        inner = _decoder(options[0])
        return lambda value: None if value is None else inner(value)
    members = _members(hint)
    return lambda value: _tagged(members, value)


def _str(value: Any) -> str:
    if not isinstance(value, str):
        raise CodecError(f"has {_kind(value)} where a string belongs")
    return value


def _int(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise CodecError(f"has {_kind(value)} where a whole number belongs")
    return value


def _bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise CodecError(f"has {_kind(value)} where true or false belongs")
    return value


_SCALARS: dict[Any, _Decoder] = {str: _str, int: _int, bool: _bool}


def _enum(kind: type[StrEnum], value: Any) -> StrEnum:
    try:
        return kind(_str(value))
    except ValueError:
        raise _UnknownKindError(f"has {str(value)[:40]!r} where one of {', '.join(kind)} belongs") from None


def _tuple(item: _Decoder, value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise CodecError(f"has {_kind(value)} where a list belongs")
    return tuple(item(element) for element in value)


def _kind(value: object) -> str:
    return f"a {type(value).__name__}"
