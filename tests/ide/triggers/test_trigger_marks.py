"""Where a trigger shows: on the condition that fired, wherever it is by now, and in the file that it fired for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ttsr_ls.ide.triggers.trigger_board import MOST_TRIGGERS, LiveTrigger, TriggerBoard
from ttsr_ls.ide.triggers.trigger_marks import on_rule, on_target, target_span, trigger_text
from ttsr_ls.lint.finding import Severity
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import Excerpt, Extent, RuleTriggered, Target
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import LineIndex, Position, Span

TEXT = "---\ncondition:\n  - 'never'\n  - 'as any;'\n---\nno\n"
WRITTEN = "const a = 1\nconst b = a as any; // 😀\n"
EVENT = RuleTriggered(
    turn="t1",
    step=0,
    agent="main",
    rule="no-any",
    rule_path="a.md",
    condition="as any;",
    condition_index=1,
    source=Source.TOOL,
    tool="write",
    call="c1",
    target=Target("src/x.ts", Extent.WHOLE, Position(1, 12), Position(1, 19), "const b = a as any; // 😀"),
    start=24,
    end=31,
    offset=31,
    excerpt=Excerpt("a as\x07any;\nmore", 2, 9),
    interrupts=False,
)
PROSE = replace(EVENT, source=Source.TEXT, tool=None, call=None, target=None, interrupts=True)


def rule(text: str = TEXT) -> RuleFile:
    return read_rule(text, name="no-any", path="/p/a.md")


def live(event: RuleTriggered) -> LiveTrigger:
    if event.target is None:
        return LiveTrigger(event, "/p/a.md", None, None)
    return LiveTrigger(event, "/p/a.md", "/p/src/x.ts", event.target.path)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (TEXT, "'as any;'"),
        (TEXT.replace("  - 'never'\n", ""), "'as any;'"),
        (TEXT.replace("as any;", "as never;"), "condition"),
        ("gone", ""),
    ],
)
def test_shows_on_the_condition_as_the_file_is_now(text: str, place: str) -> None:
    (mark,) = on_rule(rule(text), "/p/a.md", [live(EVENT)])
    assert text[mark.span.start : mark.span.end] == place


def test_tells_of_all_times_in_one_place_and_of_the_latest_in_words() -> None:
    (mark,) = on_rule(rule(), "/p/a.md", [live(EVENT)] * 11 + [live(PROSE)])
    assert mark.severity is Severity.WARNING
    assert mark.message.startswith("Rule 'no-any' fired 12 times, lastly in this run, on the agent's text: “a as")
    assert len(mark.occurrences) == 10
    assert mark.occurrences[0].trigger.event is PROSE


def test_shows_nothing_of_other_rules_and_files() -> None:
    assert on_rule(rule(), "/p/b.md", [live(EVENT)]) == ()
    assert on_target(LineIndex(WRITTEN), "/p/src/y.ts", [live(EVENT), live(PROSE)]) == ()


def test_shows_in_the_file_that_was_written() -> None:
    (mark,) = on_target(LineIndex(WRITTEN), "/p/src/x.ts", [live(EVENT), live(PROSE)])
    assert WRITTEN[mark.span.start : mark.span.end] == "as any;"
    assert mark.severity is Severity.INFO
    assert "writes here" in mark.message


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
def test_is_found_in_a_text_that_is_older_or_newer(text: str, extent: Extent, expected: str) -> None:
    assert EVENT.target is not None
    span = target_span(LineIndex(text), replace(EVENT.target, extent=extent))
    assert text[span.start : span.end] == expected


def test_a_target_whose_positions_lie_outside_of_the_text_is_no_error() -> None:
    assert EVENT.target is not None
    wild = replace(EVENT.target, start=Position(1, 9999), end=Position(10**9, 0))
    span = target_span(LineIndex(WRITTEN), wild)
    assert 0 <= span.start <= span.end <= len(WRITTEN)
    assert target_span(LineIndex(WRITTEN), replace(wild, first_line="  ")) == Span(0, 0)


def test_what_a_model_wrote_cannot_shape_the_message() -> None:
    text = trigger_text(live(EVENT))
    assert "\n" not in text
    assert "\x07" not in text
    assert text == "TTSR: rule 'no-any' fired on write of src/x.ts: “a as any; more”"


def test_a_board_keeps_the_newest_run_of_each_folder() -> None:
    board = TriggerBoard().added("/a", live(EVENT)).added("/b", live(PROSE))
    assert board.paths() == {"/p/a.md", "/p/src/x.ts"}
    assert [one.event for one in board.cleared("/a").triggers] == [PROSE]
    assert board.cleared("/a").paths() == {"/p/a.md"}
    for _ in range(MOST_TRIGGERS + 5):
        board = board.added("/b", live(EVENT))
    assert len(board.of("/b")) == MOST_TRIGGERS
    assert all(one.event is EVENT for one in board.of("/b"))


@pytest.mark.parametrize(
    ("frontmatter", "condition", "place"),
    [
        ("trigger: 'as any;'\nflags: i", "as any;", "'as any;'"),
        ("flags: i\ntrigger: never", "as any;", "trigger"),
        ("ttsr_trigger: 'as any;'", "as any;", "'as any;'"),
    ],
)
def test_shows_on_the_trigger_of_other_dialects(frontmatter: str, condition: str, place: str) -> None:
    text = f"---\n{frontmatter}\n---\nno\n"
    file = read_rule(text, name="no-any", path="/p/.pi/rules/a.md")
    (mark,) = on_rule(file, "/p/a.md", [live(replace(EVENT, condition=condition))])
    assert text[mark.span.start : mark.span.end] == place
