"""Where a trigger shows: on the condition that fired, wherever it is by now, and in the file that it fired for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ttsr_ls.ide.triggers.target_location import TargetText, locate_triggers
from ttsr_ls.ide.triggers.trigger_board import MAX_TRIGGERS, LiveTrigger, RunKey, TriggerBoard
from ttsr_ls.ide.triggers.trigger_marks import marks_on_rule, marks_on_target
from ttsr_ls.ide.triggers.trigger_outcome import TriggerOutcome, outcome_after
from ttsr_ls.ide.triggers.trigger_text import notification_of_trigger, notification_of_triggers, outcome_word
from ttsr_ls.lint.finding import Severity
from ttsr_ls.matching.excerpt import excerpt
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind, InterruptedByRules, Interruption
from ttsr_ls.session.history.turn_events import (
    CallDone,
    CallRefused,
    Excerpt,
    Extent,
    InjectionCommitted,
    OutputInterrupted,
    ReminderFolded,
    RuleTriggered,
    StepUpdated,
    Target,
)
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import LineIndex, Position

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


def located(text: str, *triggers: LiveTrigger) -> TargetText:
    return locate_triggers(TargetText(), LineIndex(text), triggers)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (TEXT, "'as any;'"),
        (TEXT.replace("  - 'never'\n", ""), "'as any;'"),
        (TEXT.replace("as any;", "as never;"), "condition"),
        ("gone", ""),
    ],
)
def test_a_trigger_is_marked_on_the_current_position_of_its_condition(text: str, place: str) -> None:
    (mark,) = marks_on_rule(rule(text), "/p/a.md", [live(EVENT)])
    assert text[mark.span.start : mark.span.end] == place


def test_several_triggers_of_a_condition_share_one_mark() -> None:
    (mark,) = marks_on_rule(rule(), "/p/a.md", [live(EVENT)] * 11 + [live(PROSE)])
    assert mark.severity is Severity.WARNING
    assert mark.message.startswith("Rule 'no-any' fired 12 times in this run, the last time on the agent's text: “a as")
    assert len(mark.occurrences) == 10
    assert mark.occurrences[0].trigger.event is PROSE


def test_triggers_of_other_rules_and_files_have_no_mark() -> None:
    assert marks_on_rule(rule(), "/p/b.md", [live(EVENT)]) == ()
    assert marks_on_target(located(WRITTEN, live(EVENT)), "/p/src/y.ts", [live(EVENT), live(PROSE)]) == ()


def test_a_trigger_is_marked_in_the_written_file() -> None:
    (mark,) = marks_on_target(located(WRITTEN, live(EVENT)), "/p/src/x.ts", [live(EVENT), live(PROSE)])
    assert WRITTEN[mark.span.start : mark.span.end] == "as any;"
    assert mark.severity is Severity.INFO
    assert "writes here" in mark.message


@pytest.mark.parametrize(
    ("outcome", "interrupts", "expected"),
    [
        (None, True, "is about to write here: “a as any; ↵ more”."),
        (TriggerOutcome.DONE, False, "wrote here: “a as any; ↵ more”."),
        (TriggerOutcome.DONE, True, "otherwise the agent would have been interrupted."),
        (
            TriggerOutcome.STOPPED,
            True,
            "about to write here: “a as any; ↵ more”. The answer was interrupted. It was not written.",
        ),
        (
            TriggerOutcome.NOT_RUN,
            True,
            "fired on what the agent was about to write here: “a as any; ↵ more”. It was not written.",
        ),
        (TriggerOutcome.REMINDED, True, "wrote here: “a as any; ↵ more”. The agent was reminded."),
        (
            TriggerOutcome.DENIED,
            True,
            "denied what the agent was about to write here: “a as any; ↵ more”. It was not written.",
        ),
    ],
)
def test_the_message_of_a_mark_has_the_outcome(outcome: TriggerOutcome | None, interrupts: bool, expected: str) -> None:
    trigger = replace(live(replace(EVENT, interrupts=interrupts)), outcome=outcome)
    (on_file,) = marks_on_target(located(WRITTEN, trigger), "/p/src/x.ts", [trigger])
    assert on_file.message.endswith(expected)
    (on_condition,) = marks_on_rule(rule(), "/p/a.md", [trigger])
    assert on_condition.message.endswith(expected) or outcome is not TriggerOutcome.DONE or not interrupts


def test_control_characters_of_the_model_are_removed_from_messages() -> None:
    text = notification_of_trigger(live(EVENT))
    assert "\n" not in text
    assert "\x07" not in text
    assert text == "TTSR: rule 'no-any' fired on write of src/x.ts: “a as any; ↵ more”"


@pytest.mark.parametrize(
    ("outcome", "interrupts", "word", "said"),
    [
        (None, True, None, "fired on write of src/x.ts: "),
        (TriggerOutcome.DENIED, True, "denied", "denied write of src/x.ts: "),
        (TriggerOutcome.STOPPED, True, "interrupted", "fired on write of src/x.ts, which was interrupted: "),
        (TriggerOutcome.NOT_RUN, True, "did not run", "fired on write of src/x.ts, which did not run: "),
        (TriggerOutcome.REMINDED, False, "reminded", "fired on write of src/x.ts, and the agent was reminded: "),
        (TriggerOutcome.DONE, False, "would have been reminded", "src/x.ts, and the agent would have been reminded: "),
        (TriggerOutcome.DONE, True, "would have been interrupted", "x.ts, which would have been interrupted: "),
    ],
)
def test_words_of_outcomes(outcome: TriggerOutcome | None, interrupts: bool, word: str, said: str) -> None:
    trigger = replace(live(replace(EVENT, interrupts=interrupts)), outcome=outcome)
    assert outcome_word(trigger) == word
    assert said in notification_of_trigger(trigger)


def test_an_outcome_is_folded_from_later_events() -> None:
    done = StepUpdated("t1", 1, "c1", CallDone("ok"))
    folded = ReminderFolded("t1", 1, "c1", ("no-any",), "No any.")
    refused = StepUpdated("t1", 1, "c1", CallRefused("no"))
    interrupted = OutputInterrupted(
        "t1", 0, Interruption("main", 0, InterruptedByRules(("no-any",)), ContextMode.DISCARD)
    )
    other = ReminderFolded("t1", 1, "c1", ("another",), "No.")
    injected = InjectionCommitted("t1", 1, Injection("main", InjectionKind.INTERRUPT, Role.USER, "No."), ("no-any",))
    for events, expected in (
        ((done, folded), TriggerOutcome.REMINDED),
        ((folded, done), TriggerOutcome.REMINDED),
        ((done, other), TriggerOutcome.DONE),
        ((done, injected), TriggerOutcome.REMINDED),
        ((done, replace(folded, rule_paths=("a.md",))), TriggerOutcome.REMINDED),
        ((done, replace(folded, rule_paths=("other.md",))), TriggerOutcome.DONE),
        ((done, replace(injected, rule_paths=("other.md",))), TriggerOutcome.DONE),
        ((interrupted, refused, injected), TriggerOutcome.STOPPED),
        ((refused,), TriggerOutcome.NOT_RUN),
    ):
        trigger = live(EVENT)
        for event in events:
            trigger = replace(trigger, outcome=outcome_after(trigger, event) or trigger.outcome)
        assert trigger.outcome is expected, events


def test_only_the_line_of_a_match_is_quoted_and_its_line_ends_are_visible() -> None:
    text = "import os\r\n  import old\n    import new\n"
    start, end = text.index("import old"), len(text)
    found = replace(PROSE, excerpt=excerpt(text, start, end))
    assert notification_of_trigger(live(found)).endswith(": “import old ↵ import new”")


@pytest.mark.parametrize(
    ("before", "match", "shown"),
    [
        ("x" * 30 + " words that come before the text ", "as any", "… words that come before the text as any"),
        ("said: ", "as any " + "and more words " * 20, "said: as any" + " and more words" * 7 + " and …"),
        ("x" * 80, "as any", "…as any"),
        ("one ", "x" * 150, "one " + "x" * 119 + " …"),
    ],
)
def test_an_excerpt_is_truncated_between_words(before: str, match: str, shown: str) -> None:
    units = before + match
    found_excerpt = excerpt(units, len(before), len(units))
    assert notification_of_trigger(live(replace(PROSE, excerpt=found_excerpt))).endswith(f": “{shown}”")


def test_several_triggers_share_one_message() -> None:
    triggers = [live(EVENT), live(replace(EVENT, rule="other")), live(EVENT)]
    assert notification_of_triggers(triggers) == (
        "TTSR: 3 triggers: 'no-any' 2 times, 'other' once; the last one on write of src/x.ts: “a as any; ↵ more”"
    )
    live_triggers = [live(replace(EVENT, rule=str(number))) for number in range(5)]
    assert "'0' once, '1' once, '2' once, and 2 other rules; the last one" in notification_of_triggers(live_triggers)
    assert "'2' once, '3' once; the last one" in notification_of_triggers(live_triggers[:4])


def test_rules_of_one_name_are_counted_by_their_paths() -> None:
    triggers = [
        LiveTrigger(EVENT, path, None, None) for path in ("/p/.omp/rules/no-any.md", "/p/.pi/rules/no-any.md") * 2
    ]
    triggers.append(LiveTrigger(replace(EVENT, rule="other"), "/p/.omp/rules/other.md", None, None))
    assert notification_of_triggers(triggers).startswith(
        "TTSR: 5 triggers: 'no-any' in .omp/rules 2 times, 'no-any' in .pi/rules 2 times, 'other' once; the last one "
    )


def test_a_board_keeps_runs_apart() -> None:
    one, two = RunKey("/a", "1.jsonl"), RunKey("/a", "2.jsonl")
    board = TriggerBoard().added(one, live(EVENT)).added(two, live(PROSE))
    assert board.paths() == {"/p/a.md", "/p/src/x.ts"}
    assert [trigger.event for trigger in board.without({one}).triggers] == [PROSE]
    assert board.without({one}).paths() == {"/p/a.md"}
    for _ in range(MAX_TRIGGERS + 5):
        board = board.added(two, live(EVENT))
    assert len(board.run(two).triggers) == MAX_TRIGGERS
    assert [trigger.event for trigger in board.run(one).triggers] == [EVENT]


def test_a_cleared_run_shows_later_triggers() -> None:
    key = RunKey("/a", "1.jsonl")
    board = TriggerBoard().added(key, replace(live(EVENT), sequence=3)).added(key, replace(live(PROSE), sequence=5))
    assert [trigger.event for trigger in board.run(key).after(3).triggers] == [PROSE]


@pytest.mark.parametrize(
    ("frontmatter", "condition", "place"),
    [
        ("trigger: 'as any;'\nflags: i", "as any;", "'as any;'"),
        ("flags: i\ntrigger: never", "as any;", "trigger"),
        ("ttsr_trigger: 'as any;'", "as any;", "'as any;'"),
    ],
)
def test_triggers_of_other_dialects_are_marked_on_their_key(frontmatter: str, condition: str, place: str) -> None:
    text = f"---\n{frontmatter}\n---\nno\n"
    file = read_rule(text, name="no-any", path="/p/.pi/rules/a.md")
    (mark,) = marks_on_rule(file, "/p/a.md", [live(replace(EVENT, condition=condition))])
    assert text[mark.span.start : mark.span.end] == place
