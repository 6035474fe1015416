"""A trigger on an edit is recorded with its position in the file, found by the replaced text."""

from __future__ import annotations

import json

import pytest

from tests.bridge.adapters.claude_stream import Line, answer, cut, to_bytes, tool, whole
from tests.bridge.watch.watching import NO_ANY, MemoryLog, claude, rules
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.text import Position

FILE = "let x: any;\n// 😀\nlet b = 1;\nlet c = 2;\n"
PATH = "/home/dev/shop/src/a.ts"


def recorded(stream: list[Line], text: str | None) -> list[Position | None]:
    log = MemoryLog()
    watching = Observer(
        lambda _: rules(no_any=NO_ANY),
        log,
        settings=Settings(),
        matching=Matching.STABLE,
        file_text=lambda path: text if path == PATH else None,
    )
    adapter = claude()
    watching.start(0)
    watching.feed([*adapter.feed(to_bytes(stream)), *adapter.finish()], 1)
    return [event.target.in_file for event in log.triggers if event.target is not None]


def edit(**arguments: object) -> str:
    return json.dumps({"file_path": PATH, **arguments})


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("let b = 1;", "let b: any;", Position(2, 5)),
        ("b = 1;\nlet c = 2;", "b = 1;\n\nlet c: any;", Position(4, 5)),
        ("not there", "let b: any;", None),
    ],
)
@pytest.mark.parametrize("is_whole", [True, False])
def test_a_trigger_in_an_edit_is_located_by_the_replaced_text(
    old: str, new: str, expected: Position | None, is_whole: bool
) -> None:
    arguments = edit(old_string=old, new_string=new)
    content = {"type": "tool_use", "id": "t1", "name": "Edit", "input": json.loads(arguments)}
    stream = whole(content) if is_whole else answer(tool("Edit", cut(arguments, 7)))
    assert recorded(stream, FILE) == [expected]


def test_a_trigger_is_located_in_the_edit_that_contains_it() -> None:
    edits = [
        {"old_string": "// 😀", "new_string": "// one\n// two"},
        {"old_string": "let c = 2;", "new_string": "let c: any;"},
    ]
    assert recorded(answer(tool("MultiEdit", cut(edit(edits=edits), 9))), FILE) == [Position(3, 5)]


def test_a_trigger_in_an_unreadable_file_has_no_position() -> None:
    assert recorded(answer(tool("Edit", [edit(old_string="b", new_string="b: any;")])), None) == [None]
