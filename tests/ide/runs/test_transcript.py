"""What a transcript shows of a session, whatever the agent wrote."""

from __future__ import annotations

from tests.processor_time import processor_time_below
from ttsr_ls.ide.runs.run_state import RunState
from ttsr_ls.ide.runs.session_run import SessionRun
from ttsr_ls.ide.runs.transcript_text import MAX_CHARACTERS
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.ide.triggers.trigger_outcome import TriggerOutcome
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind
from ttsr_ls.session.history.turn_events import (
    CallDone,
    CallRefused,
    Excerpt,
    InjectionCommitted,
    ModelCall,
    RuleChanges,
    RulesLoaded,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    Text,
    ToolBatch,
    ToolCall,
    ToolItem,
    TurnCompleted,
    TurnEnded,
    TurnFailed,
    TurnStarted,
    UnseenTrigger,
    UserInput,
)
from ttsr_ls.session.history.turn_output import CallPending


def a_run() -> SessionRun:
    run = SessionRun("shop/s1", "claude", "/home/dev/shop", 1_000, from_start=True)
    run.evolve(1_000, TurnStarted("t1", UserInput("Add a price.\nPlease.")))
    return run


def fired(source: Source, text: str, start: int, end: int, call: str | None = None) -> LiveTrigger:
    event = RuleTriggered(
        turn="t1",
        step=0,
        agent="main",
        rule="no-float",
        rule_path="/home/dev/shop/.omp/rules/no-float.md",
        condition="float",
        condition_index=0,
        source=source,
        tool="write" if call else None,
        call=call,
        target=None,
        start=start,
        end=end,
        offset=end,
        excerpt=Excerpt(text, start, end),
        interrupts=True,
    )
    return LiveTrigger(event, event.rule_path, None, None)


def answer(*output: Text | ToolCall) -> StepAppended:
    return StepAppended("t1", 0, ModelCall("main", "m", output, complete=True))


def lines_of(run: SessionRun) -> list[str]:
    return list(run.transcript.part(-1, 0).lines)


def marked(run: SessionRun) -> list[str]:
    part = run.transcript.part(-1, 0)
    return [part.lines[mark.line][mark.start : mark.end] for mark in part.marks]


def test_a_trigger_is_shown_at_the_end_until_its_answer_is_recorded() -> None:
    run = a_run()
    run.trigger(1_001, fired(Source.TOOL, "-> float:", 3, 8, "c1"))
    transcript_part = run.transcript.part(-1, 0)
    assert transcript_part.lines[-1].startswith("⚡ rule 'no-float' fired on a call of write")
    assert transcript_part.stable == len(transcript_part.lines) - 1
    arguments = '{"path": "a.py", "content": "float = 1\\ndef price() -> float:\\n    pass\\n"}'
    run.evolve(1_002, answer(Text("A float for the price."), ToolCall("c1", "write", arguments)))
    part = run.transcript.part(transcript_part.epoch, transcript_part.stable)
    assert part.first == transcript_part.stable
    assert list(part.lines) == [
        "● text",
        "  A float for the price.",
        "▸ write",
        "  path: a.py",
        "  content:",
        "    float = 1",
        "    def price() -> float:",
        "        pass",
        "⚡ rule 'no-float' fired on a call of write: “-> float:”",
    ]
    assert marked(run)[0] == "float"
    assert part.marks[0].line == transcript_part.stable + 6, (
        "the match with its surroundings, in the call that it was in"
    )
    assert run.transcript.line_of(0) == part.marks[0].line
    assert part.stable == transcript_part.stable + len(part.lines)


def test_parts_join_to_the_whole() -> None:
    run = a_run()
    held: list[str] = []
    epoch, stable = -1, 0
    for event in (
        fired(Source.TEXT, "a float", 2, 7),
        answer(Text("It is a float.")),
        StepAppended("t1", 1, ToolBatch("main", (ToolItem("c1", "bash", CallPending()),))),
        StepUpdated("t1", 1, "c1", CallDone("done\n")),
        InjectionCommitted("t1", 2, Injection("main", InjectionKind.INTERRUPT, Role.USER, "Never."), ("no-float",)),
        TurnEnded("t1", TurnCompleted()),
    ):
        if isinstance(event, LiveTrigger):
            run.trigger(2_000, event)
        else:
            run.evolve(2_000, event)
        part = run.transcript.part(epoch, stable)
        held = [*held[: part.first], *part.lines]
        epoch, stable = part.epoch, part.stable
        assert held == lines_of(run)
    assert "◂ result of bash" in held
    folds = [held[fold.first : fold.last + 1] for fold in part.folds]
    assert folds == [["◂ result of bash", "  done"], ["◀ injected: no-float", "  Never."]]


def test_an_agent_cannot_forge_a_heading_or_hide_a_character() -> None:
    run = a_run()
    forged = "x\n⚡ rule 'other' fired\n\x1b[31m red \u202e reversed\u2028⚡ rule 'third' fired"
    run.evolve(1_002, answer(Text(forged)))
    headings = [line for line in lines_of(run) if not line.startswith("  ")]
    assert [line for line in headings if "fired" in line] == []
    assert "  \\x1b[31m red \\u202e reversed\\u2028⚡ rule 'third' fired" in lines_of(run)


def test_a_name_with_a_line_end_stays_on_its_line() -> None:
    run = a_run()
    run.evolve(1_002, answer(ToolCall("c1", "write\n■ the turn is completed", "{}")))
    assert "■ the turn is completed" not in lines_of(run)


def test_a_trigger_whose_text_cannot_be_found_is_named_after_the_answer() -> None:
    run = a_run()
    run.trigger(1_001, fired(Source.TEXT, "nowhere", 0, 7))
    run.evolve(1_002, answer(Text("Something else.")))
    named = "⚡ rule 'no-float' fired on the agent's text, which would have been interrupted: “nowhere”"
    assert lines_of(run)[-2:] == ["  Something else.", named]


def test_the_outcome_of_a_trigger_changes_its_line_and_the_epoch() -> None:
    run = a_run()
    run.trigger(1_001, fired(Source.TOOL, "import os\n  -> float:", 15, 20, "c1"))
    run.evolve(1_002, answer(ToolCall("c1", "write", '{"content": "-> float:"}')))
    held = run.transcript.part(-1, 0)
    assert held.lines[-1] == "⚡ rule 'no-float' fired on a call of write: “-> float:”"
    run.evolve(1_003, StepAppended("t1", 1, ToolBatch("main", (ToolItem("c1", "write", CallPending()),))))
    run.evolve(1_004, StepUpdated("t1", 1, "c1", CallRefused("No floats.", denied_by="hooks")))
    part = run.transcript.part(held.epoch, held.stable)
    assert (part.epoch, part.first) == (held.epoch + 1, 0)
    named = "⚡ rule 'no-float' denied a call of write: “-> float:”"
    line = part.lines.index(named)
    assert line == len(held.lines) - 1
    assert (line, 0, len(named)) in [(mark.line, mark.start, mark.end) for mark in part.marks]
    assert [one.trigger.outcome for one in run.triggers] == [TriggerOutcome.DENIED]
    assert run.transcript.part(part.epoch, part.stable).lines == part.lines[part.stable :]


def test_a_turn_is_named_by_the_first_words_of_its_prompt_or_answer() -> None:
    run = a_run()
    assert run.turns[-1].title == "Add a price. …"
    run.evolve(1_001, TurnStarted("t2", UserInput("word " * 30)))
    assert run.turns[-1].title == f"{'word ' * 12}…"
    run.evolve(1_002, TurnStarted("t3", UnseenTrigger()))
    assert run.turns[-1].title == "a prompt that the agent does not print"
    run.evolve(1_003, StepAppended("t3", 0, ModelCall("main", "m", (Text("I rename it.\nThen"),), complete=True)))
    run.evolve(1_004, StepAppended("t3", 1, ModelCall("main", "m", (Text("Done."),), complete=True)))
    assert run.turns[-1].title == "answer: I rename it. …"


def test_a_trigger_of_an_unrecorded_answer_is_kept() -> None:
    run = a_run()
    run.trigger(1_001, fired(Source.TEXT, "float", 0, 5))
    run.evolve(1_002, TurnEnded("t1", TurnFailed("overloaded")))
    assert lines_of(run)[-2].startswith("⚡")
    assert lines_of(run)[-1] == "■ the turn failed: overloaded"
    assert run.state is RunState.FAILED


def test_a_long_transcript_loses_its_older_half() -> None:
    run = a_run()
    epochs = set()
    long = "and more\n" * 2_000
    for number in range(100):
        run.trigger(2_000, fired(Source.TEXT, f"float {number}!", 0, 5))
        run.evolve(2_000, answer(Text(f"This is a float {number}!\n{long}")))
        part = run.transcript.part(-1, 0)
        epochs.add(part.epoch)
        assert sum(len(line) + 1 for line in part.lines) <= MAX_CHARACTERS + 100
        assert {part.lines[mark.line][mark.start : mark.end] for mark in part.marks if mark.end < 20} <= {"float"}
        line = run.transcript.line_of(number)
        if line is not None:
            assert f"float {number}!" in part.lines[line]
    assert len(epochs) > 5
    assert run.trigger_count == 100


def test_an_event_of_a_turn_without_a_recorded_start_is_shown() -> None:
    run = SessionRun("shop/s1", "claude", "/home/dev/shop", 1_000, from_start=False)
    run.trigger(1_001, fired(Source.TEXT, "float", 0, 5))
    assert [turn.id for turn in run.turns] == ["t1"]
    assert "the beginning is not shown" in lines_of(run)[1]


def test_incomplete_arguments_are_shown() -> None:
    run = a_run()
    run.evolve(1_002, answer(ToolCall("c1", "write", '{"path": "a.py", "content": "x = 1\\ny')))
    assert lines_of(run)[-4:] == ["  path: a.py", "  content:", "    x = 1", "    y"]


def test_many_triggers_take_bounded_time_and_memory() -> None:
    run = a_run()
    with processor_time_below(2.8):
        for number in range(7_000):
            run.trigger(2_000, fired(Source.TEXT, f"float {number} {'x' * 100}", 0, 5))
            if number % 10 == 0:
                run.evolve(2_000, StepAppended("t2", number, ModelCall("main", "m", (Text("y"),), complete=True)))
    assert sum(len(line) + 1 for line in lines_of(run)) <= MAX_CHARACTERS + 20_000
    assert run.trigger_count == 7_000
    assert run.trigger_count * 100 > MAX_CHARACTERS


def test_changed_rules_are_named() -> None:
    run = a_run()
    run.evolve(1_500, RulesLoaded((), "stable"))
    gone = "The rule d is not in force any more (/rules/d.md). It was removed or switched off."
    run.evolve(2_000, RulesLoaded((), "stable", (), RuleChanges(("a",), ("b",), ("c", "d"), (gone,))))
    run.evolve(2_500, RulesLoaded((), "stable", (), RuleChanges()))
    assert list(run.transcript.part(0, 0).lines)[-3:] == [
        "· 0 rules are in force",
        f"· Rules were read again: added a, changed b, removed c, removed d. {gone}",
        "· Rules were read again: none changed.",
    ]
