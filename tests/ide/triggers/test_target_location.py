"""Where the match of a trigger is in its file: the right one of several, through changes, and gone with its text."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.ide.triggers.test_trigger_marks import EVENT, WRITTEN, live
from ttsr_ls.ide.triggers.target_location import TargetText, locate_triggers
from ttsr_ls.ide.triggers.text_change import TextChange, text_change
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.triggers.trigger_outcome import TriggerOutcome
from ttsr_ls.session.history.turn_events import Excerpt, Extent, Target
from ttsr_ls.text import LineIndex, Position, Span

LINES = [f"line {number}" for number in range(40)]
BEFORE = "\n".join([*LINES[:10], "const x = a as any;", *LINES[11:30], "const x = 1;", *LINES[31:]])
AFTER = BEFORE.replace("const x = 1;", "const x = a as any;")
PIECE = Target("x.ts", Extent.PIECE, Position(0, 12), Position(0, 18), "const x = a as any;")
assert EVENT.target is not None


def fired(target: Target, outcome: TriggerOutcome | None = None) -> LiveTrigger:
    event = replace(EVENT, target=target, excerpt=Excerpt("x = a as any;", 6, 12))
    return replace(live(event), outcome=outcome)


def line_of(text: TargetText, trigger: LiveTrigger) -> int | None:
    span = text.span(trigger)
    return None if span is None else text.index.position(span.start).line


def through(trigger: LiveTrigger, *texts: str) -> TargetText:
    """What is known after the file had these texts, one after the other."""
    known = TargetText()
    for text in texts:
        known = locate_triggers(known, LineIndex(text), [trigger])
    return known


@pytest.mark.parametrize(
    ("text", "extent", "expected"),
    [
        (WRITTEN, Extent.WHOLE, "as any;"),
        ("// new\n\n" + WRITTEN, Extent.WHOLE, "as any;"),
        ("// new\n\n" + WRITTEN, Extent.PIECE, "as any;"),
        ("    const b = a as any; // 😀 x", Extent.PIECE, "as any;"),
        ("something else", Extent.WHOLE, ""),
        ("", Extent.PIECE, ""),
    ],
)
def test_a_match_is_located_in_an_older_or_newer_text(text: str, extent: Extent, expected: str) -> None:
    assert EVENT.target is not None
    trigger = fired(replace(EVENT.target, extent=extent))
    span = through(trigger, text).span(trigger)
    assert span is not None
    assert text[span.start : span.end] == expected


def test_a_match_that_began_with_a_line_end_is_followed_by_its_visible_text() -> None:
    target = Target("x.ts", Extent.PIECE, Position(1, 2), Position(1, 8), "  // why")
    event = replace(EVENT, target=target, excerpt=Excerpt("let a;\n  // why", 6, 15))
    trigger = replace(live(event), outcome=TriggerOutcome.DONE)
    text = "let a;\n  // why\nlet c;\n"
    moved = text.replace("  // why", "    call(); // why")
    span = through(trigger, text, moved).span(trigger)
    assert span is not None
    assert moved[span.start : span.end] == "// why"


def test_an_edit_is_located_at_its_own_line_and_not_at_an_equal_one() -> None:
    trigger = fired(replace(PIECE, in_file=Position(30, 12)), TriggerOutcome.DONE)
    assert line_of(through(trigger, AFTER), trigger) == 30
    assert line_of(through(trigger, "new\n" + AFTER), trigger) == 31


def test_an_edit_within_a_line_is_located() -> None:
    target = Target("x.ts", Extent.PIECE, Position(0, 2), Position(0, 8), "a as any;", Position(30, 12))
    trigger = fired(target, TriggerOutcome.DONE)
    span = through(trigger, AFTER).span(trigger)
    assert span is not None
    assert line_of(through(trigger, AFTER), trigger) == 30
    assert AFTER[span.start : span.end] == "as any"


def test_a_pending_write_is_marked_on_its_expected_line() -> None:
    text = BEFORE.replace("const x = a as any;", "nothing")
    trigger = fired(replace(PIECE, in_file=Position(30, 12)))
    assert line_of(through(trigger, text), trigger) == 30
    assert line_of(through(trigger, text, AFTER.replace("line 5", "other")), trigger) == 30


def test_a_mark_moves_with_the_lines_above_it() -> None:
    trigger = fired(replace(PIECE, in_file=Position(30, 12)), TriggerOutcome.DONE)
    moved = AFTER.replace("line 20\n", "line 20\nconst x = a as any;\nconst x = a as any;\n")
    assert line_of(through(trigger, AFTER, moved), trigger) == 32
    assert line_of(through(trigger, AFTER, moved, AFTER), trigger) == 30


def test_a_mark_over_a_line_end_keeps_its_end() -> None:
    target = Target("x.ts", Extent.WHOLE, Position(1, 12), Position(2, 0), "const b = a as any;")
    trigger = fired(target, TriggerOutcome.DONE)
    text = "const a = 1\nconst b = a as any;\nlast\n"
    for texts, expected in (
        ((text,), Span(24, 32)),
        ((text, text), Span(24, 32)),
        ((text, "// new\n" + text), Span(31, 39)),
        ((text, text.replace("last", "end")), Span(24, 32)),
        # What follows the line is another text now.
        ((text, text.replace("any;\n", "any;")), Span(24, 31)),
    ):
        assert through(trigger, *texts).span(trigger) == expected


def test_a_mark_disappears_and_returns_with_its_text() -> None:
    trigger = fired(replace(PIECE, in_file=Position(30, 12)), TriggerOutcome.DONE)
    assert line_of(through(trigger, AFTER, BEFORE), trigger) is None
    assert line_of(through(trigger, AFTER, BEFORE, "new\n" + BEFORE), trigger) is None
    assert line_of(through(trigger, AFTER, BEFORE, "new\n" + BEFORE, "new\n" + AFTER), trigger) == 31


def test_a_mark_stays_while_another_part_of_its_line_is_edited() -> None:
    trigger = fired(replace(PIECE, in_file=Position(30, 12)), TriggerOutcome.DONE)
    lines = AFTER.split("\n")
    lines[30] = "let xyz = a as any;  // later"
    known = through(trigger, AFTER, "\n".join(lines))
    span = known.span(trigger)
    assert span is not None
    assert line_of(known, trigger) == 30


def test_a_written_text_that_is_gone_has_no_mark() -> None:
    assert EVENT.target is not None
    trigger = fired(EVENT.target, TriggerOutcome.DONE)
    assert through(trigger, "something else").span(trigger) is None


def test_a_target_whose_positions_lie_outside_of_the_text_is_no_error() -> None:
    assert EVENT.target is not None
    wild = fired(replace(EVENT.target, start=Position(1, 9999), end=Position(10**9, 0)))
    span = through(wild, WRITTEN).span(wild)
    assert span is not None
    assert 0 <= span.start <= span.end <= len(WRITTEN)
    blank = fired(replace(EVENT.target, start=Position(1, 9999), first_line="  "))
    assert through(blank, WRITTEN).span(blank) == Span(0, 0)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a\nb\nc", "a\nb\nc", None),
        ("a\nb\nc", "a\nX\nc", TextChange(1, 1, 1)),
        ("a\nb\nc", "a\nX\nY\nb\nc", TextChange(1, 1, 3)),
        ("a\nX\nY\nb", "a\nb", TextChange(1, 3, 1)),
        ("", "a\nb", TextChange(0, 0, 1)),
        ("aa", "aaa", TextChange(0, 0, 0)),
    ],
)
def test_a_text_change_is_bounded_by_equal_lines(old: str, new: str, expected: TextChange | None) -> None:
    assert text_change(LineIndex(old), LineIndex(new)) == expected
