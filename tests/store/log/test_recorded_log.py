"""A log that ttsr-ls 0.1.0 wrote stays readable, and what is written today has the same kinds and fields.

`version_1.jsonl` holds every kind of event and of value in events, each with every kind of value in its fields.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from ttsr_ls.session.history.turn_events import TurnEvent
from ttsr_ls.store.log.codec import decode_record, encode_record
from ttsr_ls.store.log.reader import read_log

RECORDED = Path(__file__).with_name("version_1.jsonl")


def kinds(schema: str) -> set[str]:
    return set(re.findall(r'"kind": ?(?:\{"enum": ?\[)?"(\w+)"', schema))


def test_a_recorded_log_is_read_without_a_problem() -> None:
    content = read_log(RECORDED)
    assert content.problems == ()
    assert len(content.records) == 116


def test_each_recorded_line_is_written_as_it_was() -> None:
    for line in RECORDED.read_bytes().splitlines(keepends=True)[1:]:
        assert encode_record(decode_record(line)) == line


def test_rules_that_were_recorded_before_changes_were_are_read() -> None:
    line = RECORDED.read_bytes().splitlines(keepends=True)[1]
    assert decode_record(line.replace(b',"changes":null', b"")) == decode_record(line)


def test_the_recorded_log_has_each_kind_that_is_known() -> None:
    known = kinds(json.dumps(msgspec.json.schema(TurnEvent)))
    assert len(known) > 50
    assert known == kinds(RECORDED.read_text(encoding="utf-8"))
