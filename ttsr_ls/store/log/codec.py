"""Encodes turn events as JSON and decodes them: one line of a session log for each record.

Driven by the types of `session.history.turn_events`, so that a new event needs no code here. Decoding trusts nothing:
for any line, the result is an event whose fields have their declared types, or a `CodecError`.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from ttsr_ls.errors import TtsrError
from ttsr_ls.session.history.turn_events import VERSION, TurnEvent
from ttsr_ls.typed_values import convert_value, json_decoder

# The start of msgspec's message for a kind, or a value of an enumeration, that this version does not know.
_UNKNOWN = ("Invalid value ", "Invalid enum value ")


class CodecError(TtsrError):
    """A line is not a record that this version can read. The message says why."""


class UnknownRecordError(CodecError):
    """A line is a record of another version; `sequence` is its number, if that can be read."""

    def __init__(self, message: str, sequence: int | None) -> None:
        super().__init__(message)
        self.sequence = sequence


class Record(Struct, frozen=True, gc=False):
    """An event with its position in the log: `sequence` counts from 1, `time` is milliseconds since the Unix epoch."""

    sequence: int
    time: int
    event: TurnEvent


LAST_SEQUENCE = 2**53
"""Every JSON parser reads integers up to here exactly. A line with a higher number is damaged."""

_Sequence = Annotated[int, Meta(ge=1, le=LAST_SEQUENCE)]


class _Line(Struct, frozen=True, gc=False):
    v: int
    seq: _Sequence
    t: int
    event: TurnEvent


_ENCODER = msgspec.json.Encoder()
_DECODER = json_decoder(_Line)


def encode_record(record: Record) -> bytes:
    """Returns the line for a record, with its line end."""
    return encode_line(_Line(VERSION, record.sequence, record.time, record.event))


def encode_line(value: object) -> bytes:
    """Returns `value` as one line of JSON in UTF-8."""
    try:
        return _ENCODER.encode(value) + b"\n"
    except UnicodeEncodeError:  # A lone surrogate, which an agent's JSON may contain, can only be written as an escape.
        return (json.dumps(msgspec.to_builtins(value), separators=(",", ":")) + "\n").encode()


def decode_line(line: bytes) -> Any:
    """Returns the JSON value of a line. Raises CodecError."""
    try:
        return json.loads(line)
    except RecursionError:
        raise CodecError("is nested too deeply") from None
    except ValueError as error:  # Not JSON, not UTF-8, or a number of thousands of digits.
        raise CodecError(f"is not JSON ({error})") from None


def decode_record(line: bytes) -> Record:
    """Returns the record of a line. Raises CodecError; UnknownRecordError if another version of this program wrote
    it."""
    try:
        decoded_line = _DECODER.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        decoded_line = _decode_slowly(line)
    if decoded_line.v != VERSION:
        raise _unknown_version_error(decoded_line.v, decoded_line.seq)
    return Record(decoded_line.seq, decoded_line.t, decoded_line.event)


def _decode_slowly(line: bytes) -> _Line:
    """Decodes a line with a lone surrogate, which msgspec rejects. Raises CodecError with the reason for others."""
    value = decode_line(line)
    if not isinstance(value, dict):
        raise CodecError("is not a JSON object")
    version, number = value.get("v"), value.get("seq")
    if type(version) is not int:
        raise CodecError("is no record, which would have a version")
    sequence = number if type(number) is int and 1 <= number <= LAST_SEQUENCE else None
    if version != VERSION:
        raise _unknown_version_error(version, sequence)
    try:
        return convert_value(value, _Line)
    except msgspec.ValidationError as error:
        text = f"does not hold an event ({str(error)[:300]})"
        if str(error).startswith(_UNKNOWN):
            raise UnknownRecordError(text, sequence) from None
        raise CodecError(text) from None
    except UnicodeEncodeError:  # msgspec compares kinds and values of enumerations as UTF-8.
        raise CodecError("does not hold an event (a lone surrogate is in a name)") from None


def _unknown_version_error(version: object, sequence: int | None) -> UnknownRecordError:
    return UnknownRecordError(f"has version {str(version)[:20]}, this program reads version {VERSION}", sequence)
