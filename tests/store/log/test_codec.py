"""Every event is encoded and decoded without loss."""

from __future__ import annotations

import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.session.history import turn_events
from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.store.log.codec import CodecError, Record, UnknownRecordError, decode_record, encode_record

EVENT = st.one_of(*(st.from_type(member) for member in typing.get_args(TurnEvent)))
RECORD = st.builds(Record, st.integers(1, 2**53), st.integers(0, 2**53), EVENT)


@given(RECORD)
def test_an_encoded_record_decodes_to_itself(record: Record) -> None:
    line = encode_record(record)
    assert line.count(b"\n") == 1
    assert decode_record(line) == record


def test_a_lone_surrogate_is_encoded_and_decoded() -> None:
    record = Record(1, 2, turn_events.TurnStarted("t1", turn_events.UserInput("half \ud83d of it")))
    assert decode_record(encode_record(record)) == record


@pytest.mark.parametrize(
    "line",
    [
        rb'{"v":1,"seq":7,"t":0,"event":{"kind":"\ud800","turn":"t1"}}',
        rb'{"v":1,"seq":7,"t":0,"event":{"kind":"TurnStarted","turn":"t1","trigger":{"kind":"\udfff"}}}',
        rb'{"v":1,"seq":7,"t":0,"event":{"kind":"RuleTriggered","turn":"t1","source":"\ud800"}}',
    ],
)
def test_a_lone_surrogate_in_a_name_raises_codec_error(line: bytes) -> None:
    with pytest.raises(CodecError):
        decode_record(line)


@given(RECORD, st.integers(0, 400), st.binary(max_size=3))
def test_a_damaged_line_decodes_to_a_record_or_raises_codec_error(record: Record, at: int, junk: bytes) -> None:
    line = encode_record(record)
    at = min(at, len(line))
    try:
        found_record = decode_record(line[:at] + junk + line[at + len(junk) :])
    except CodecError:
        return
    assert isinstance(found_record.event, typing.get_args(TurnEvent))


@pytest.mark.parametrize(
    "line",
    [
        b'{"v":1,"seq":7,"t":0,"event":{"kind":"SomethingNew","turn":"t1"}}',
        b'{"v":1,"seq":7,"t":0,"event":{"kind":"TurnStarted","turn":"t1","trigger":{"kind":"Telepathy"}}}',
        b'{"v":1,"seq":7,"t":0,"event":{"kind":"StepAppended","turn":"t1","step":0,"content":{"kind":"Injection",'
        b'"agent":"main","purpose":"note","role":"angel","text":""}}}',
    ],
)
def test_a_record_of_a_newer_version_is_unknown_and_keeps_its_number(line: bytes) -> None:
    with pytest.raises(UnknownRecordError) as caught:
        decode_record(line)
    assert caught.value.sequence == 7


def test_a_prompt_of_an_older_log_has_no_images() -> None:
    line = b'{"v":1,"seq":1,"t":0,"event":{"kind":"TurnStarted","turn":"t1","trigger":{"kind":"UserInput","text":"x"}}}'
    assert decode_record(line).event == turn_events.TurnStarted("t1", turn_events.UserInput("x"))
