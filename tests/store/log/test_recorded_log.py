"""A log of ttsr-ls 0.1.0 stays readable, and current logs have the same kinds and fields.

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


def test_the_recorded_log_has_no_problems() -> None:
    content = read_log(RECORDED)
    assert content.problems == ()
    assert len(content.records) == 116


def test_encoding_a_recorded_line_gives_the_same_bytes() -> None:
    for line in RECORDED.read_bytes().splitlines(keepends=True)[1:]:
        assert encode_record(decode_record(line)) == line


def test_recorded_rules_without_the_field_changes_are_read() -> None:
    line = RECORDED.read_bytes().splitlines(keepends=True)[1]
    assert decode_record(line.replace(b',"changes":null', b"")) == decode_record(line)


def test_recorded_injections_without_the_paths_of_rules_are_read() -> None:
    lines = [line for line in RECORDED.read_bytes().splitlines(keepends=True) if b',"rule_paths":[]' in line]
    assert len(lines) == 4
    assert all(decode_record(line.replace(b',"rule_paths":[]', b"")) == decode_record(line) for line in lines)


def test_the_recorded_log_has_every_kind_of_record() -> None:
    known = kinds(json.dumps(msgspec.json.schema(TurnEvent)))
    assert len(known) > 50
    assert known == kinds(RECORDED.read_text(encoding="utf-8"))
