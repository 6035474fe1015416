"""The file with the unfinished answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from ttsr_ls.store.log.live_output import LiveDelta, LiveOutput, LiveReader

DELTA = LiveDelta("t1", 0, "main", "tool", "tool:write", "c1", "write", "text")


@pytest.mark.parametrize("field", ["agent", "stream", "call", "name", "text"])
def test_a_lone_surrogate_in_any_field_of_a_delta_is_written(tmp_path: Path, field: str) -> None:
    log = tmp_path / "session.jsonl"
    output, reader = LiveOutput(log), LiveReader(log)
    output.write([replace(DELTA, **{field: "a\ud800"}), DELTA])
    assert reader.poll()
    assert reader.deltas == (replace(DELTA, **{field: "a\ufffd"}), DELTA)
    output.close()
