"""The file with the unfinished answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from ttsr_ls.store.log.live_output import MAX_BYTES, LiveDelta, LiveOutput, LiveReader, live_path

DELTA = LiveDelta("t1", 0, "main", "tool", "tool:write", "c1", "write", "text")


@pytest.mark.parametrize("field", ["agent", "stream", "call", "name", "text"])
def test_a_lone_surrogate_in_any_field_of_a_delta_is_written(tmp_path: Path, field: str) -> None:
    log = tmp_path / "session.jsonl"
    output, reader = LiveOutput(log), LiveReader(log)
    output.write([replace(DELTA, **{field: "a\ud800"}), DELTA])
    assert reader.poll()
    assert reader.deltas == (replace(DELTA, **{field: "a\ufffd"}), DELTA)
    output.close()


def test_closing_does_not_raise_if_the_file_cannot_be_removed(tmp_path: Path) -> None:
    output = LiveOutput(tmp_path / "session.jsonl")
    output.write([DELTA])
    live_path(tmp_path / "session.jsonl").unlink()
    live_path(tmp_path / "session.jsonl").mkdir()
    output.close()


def test_an_answer_that_is_too_long_has_its_beginning_without_gaps(tmp_path: Path) -> None:
    log = tmp_path / "session.jsonl"
    output, reader = LiveOutput(log), LiveReader(log)
    output.write([DELTA])
    output.write([replace(DELTA, text="x" * MAX_BYTES)])
    output.write([replace(DELTA, text="after the gap")])
    reader.poll()
    assert reader.deltas == (DELTA,)
    output.clear()
    output.write([DELTA, DELTA])
    reader.poll()
    assert reader.deltas == (DELTA, DELTA)
    output.close()
