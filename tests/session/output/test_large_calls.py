"""A tool call with very many arguments, paths, or edits is streamed in time that grows with its length only."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.processor_time import processor_time_below
from ttsr_ls.rules.stream import Snapshot
from ttsr_ls.session.output.claude_tools import CLAUDE_TOOLS
from ttsr_ls.session.output.common_tools import COMMON_TOOLS
from ttsr_ls.session.output.edit_texts import EditTexts
from ttsr_ls.session.output.output_streams import ToolStream
from ttsr_ls.session.output.partial_json import PartialObject
from ttsr_ls.session.output.patch_streams import tool_stream
from ttsr_ls.session.output.tool_vocabulary import MAX_PATHS, written_text

SECONDS = 1.0
"""Of processor time; each took at least twice that."""

_CALLS = {
    "arguments": ("Other", {f"key{number}": "a" for number in range(10_000)}),
    "paths": ("Other", {f"{number}path": "a" for number in range(5_000)}),
    "a list of paths": ("Other", {"paths": [f"a{number}" for number in range(20_000)]}),
    "edits": ("MultiEdit", {"file_path": "a.ts", "edits": [{"new_string": "a b"}] * 8_000}),
}


@pytest.mark.parametrize(("tool", "arguments"), _CALLS.values(), ids=_CALLS)
def test_a_large_call_is_streamed_in_bounded_time(tool: str, arguments: object) -> None:
    text = json.dumps(arguments)
    stream = ToolStream(tool, "c", 0, PurePosixPath("/shop"), CLAUDE_TOOLS)
    with processor_time_below(SECONDS):
        for position in range(0, len(text), 100):
            stream.add(text[position : position + 100])
    assert stream.is_complete
    assert stream.size == len(text)


@pytest.mark.parametrize("delta", [10_000_000, 20_000])
def test_the_matched_texts_of_a_patch_do_not_grow_with_the_lines_of_a_delta(delta: int) -> None:
    added = "".join(f"+{number:>60}\n" for number in range(2_000))
    patch = f"*** Begin Patch\n*** Add File: a.py\n{added}*** Add File: b.py\n{added}*** End Patch"
    text = json.dumps({"input": patch})
    parts = [text[position : position + delta] for position in range(0, len(text), delta)]
    stream = tool_stream("apply_patch", "c", 0, PurePosixPath("/shop"), COMMON_TOOLS)
    events = [event.event for part in parts for event in stream.add(part)] + [event.event for event in stream.finish()]
    snapshots = [event for event in events if isinstance(event, Snapshot)]
    assert len(snapshots) <= len(parts) + 4
    last = {snapshot.context.paths[0]: snapshot.text for snapshot in snapshots}
    assert last == dict.fromkeys(("a.py", "b.py"), added.replace("+", "").removesuffix("\n"))


def test_paths_beyond_the_limit_are_ignored() -> None:
    paths = CLAUDE_TOOLS.raw_paths("Other", {"paths": [f"a{number}" for number in range(MAX_PATHS + 5)]}, None)
    assert len(paths) == MAX_PATHS


def test_a_path_after_many_arguments_of_a_writing_tool_is_found() -> None:
    arguments = {**{f"key{number}": "a" for number in range(5_000)}, "file_path": "a.ts"}
    assert CLAUDE_TOOLS.raw_paths("Write", arguments, None) == ("a.ts",)


_EDITS = st.lists(
    st.dictionaries(st.sampled_from(["new_string", "old_string"]), st.sampled_from(["", "a", "b\n"])) | st.just("c"),
    max_size=5,
)


@given(st.lists(_EDITS, min_size=1, max_size=3), st.integers(1, 9))
def test_cached_edit_texts_do_not_change_the_written_text(lists: list[object], units: int) -> None:
    writer = CLAUDE_TOOLS.writer("MultiEdit")
    assert writer is not None
    # A repeated key starts another list.
    text = "{" + ", ".join(f'"edits": {json.dumps(edits)}' for edits in lists) + "}"
    partial = PartialObject()
    remembered = {"edits": EditTexts(writer.pieces)}
    for position in range(0, len(text), units):
        partial.feed(text[position : position + units])
        assert written_text(writer, partial.value, remembered) == written_text(writer, partial.value)
