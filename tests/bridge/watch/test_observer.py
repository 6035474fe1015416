"""The observer records turns and triggers, and reports only recorded triggers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bridge.adapters.claude_stream import (
    Line,
    answer,
    cut,
    prompt,
    prose,
    result,
    to_bytes,
    tool,
    tool_result,
    whole,
)
from tests.bridge.watch.watching import NO_ANY, NO_OLD, NO_PUSH, MemoryLog, claude, observer, rules, rules_for, watch
from tests.built_automata import notice_builds
from ttsr_ls.bridge.watch.agent_monitors import MAX_KINDS
from ttsr_ls.bridge.watch.notices import LogFailedNotice, TriggerNotice, UnloggedTriggerNotice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.turn_translator import TurnTranslator
from ttsr_ls.matching.ast.search import AstAnswer
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import (
    CallDone,
    CallRunning,
    Excerpt,
    Extent,
    ModelCall,
    RulesLoaded,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    Target,
    Text,
    ToolBatch,
    ToolCall,
    ToolItem,
    TurnCompleted,
    TurnEnded,
    TurnStarted,
    UserInput,
)
from ttsr_ls.session.output.agent_events import AnswerStarted, SubagentSeen
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.text import Position, Span

WRITE = json.dumps({"file_path": "/home/dev/shop/src/a.ts", "content": "let a = 1;\nlet b: any;\nlet c;\n"})
EDIT = json.dumps({"file_path": "src/a.ts", "old_string": "x", "new_string": "  const b: any = 2;\n"})
RULES = rules(no_any=NO_ANY, no_old=NO_OLD, no_push=NO_PUSH)
WHOLE_FILE_TRIGGER = RuleTriggered(
    turn="t1",
    step=0,
    agent="main",
    rule="no-any",
    rule_path="/r/no_any.md",
    condition=r":\s*any\b",
    condition_index=0,
    source=Source.TOOL,
    tool="write",
    call="toolu_1",
    target=Target("/home/dev/shop/src/a.ts", Extent.WHOLE, Position(1, 5), Position(1, 10), "let b: any;"),
    start=16,
    end=21,
    offset=22,
    excerpt=Excerpt("let a = 1;\nlet b: any", 16, 21),
    interrupts=True,
)


def run(*lines: Line | list[Line], matching: Matching = Matching.STABLE) -> MemoryLog:
    log = MemoryLog()
    watch(to_bytes(flat(*lines)), log, RULES, matching)
    return log


def flat(*lines: Line | list[Line]) -> list[Line]:
    return [item for line in lines for item in (line if isinstance(line, list) else [line])]


def test_a_turn_is_recorded_as_steps() -> None:
    log = run(
        prompt("go"),
        answer(prose("text", ["I wr", "ite."]), tool("Write", cut('{"file_path": "/x.md"}', 5), 1)),
        tool_result("toolu_1", "written"),
        answer(prose("text", ["Done."]), message="msg2"),
        result(),
    )
    call = ToolCall("toolu_1", "Write", '{"file_path": "/x.md"}')
    batch = ToolBatch("main", (ToolItem("toolu_1", "Write", CallRunning()),))
    assert log.events[1:] == [
        TurnStarted("t1", UserInput("go")),
        StepAppended("t1", 0, ModelCall("main", "m", (Text("I write."), call), complete=True)),
        StepAppended("t1", 1, batch),
        StepUpdated("t1", 1, "toolu_1", CallDone("written")),
        StepAppended("t1", 2, ModelCall("main", "m", (Text("Done."),), complete=True)),
        TurnEnded("t1", TurnCompleted()),
    ]
    assert isinstance(log.events[0], RulesLoaded)
    assert [rule.name for rule in log.events[0].rules] == ["no-any", "no-old", "no-push"]


def test_a_trigger_in_a_whole_file_has_its_position() -> None:
    log = run(answer(tool("Write", cut(WRITE, 4))), result())
    assert log.triggers == [WHOLE_FILE_TRIGGER]


@given(st.sets(st.integers(1, len(WRITE) - 1)))
def test_any_split_of_the_arguments_gives_the_same_trigger(cuts: set[int]) -> None:
    places = [0, *sorted(cuts), len(WRITE)]
    log = run(answer(tool("Write", [WRITE[start:end] for start, end in pairwise(places)])), result())
    assert log.triggers == [WHOLE_FILE_TRIGGER]


def test_a_trigger_in_an_edit_has_its_position_in_the_written_part() -> None:
    (trigger,) = run(answer(tool("Edit", [EDIT])), result()).triggers
    assert trigger.target == Target("src/a.ts", Extent.PIECE, Position(0, 9), Position(0, 14), "  const b: any ")


def test_a_trigger_in_prose_has_no_target() -> None:
    (trigger,) = run(answer(prose("text", ["😀 use depre", "cated_module now"])), result()).triggers
    assert (trigger.target, trigger.tool, trigger.call) == (None, None, None)
    assert (trigger.start, trigger.end, trigger.excerpt) == (6, 23, Excerpt("😀 use deprecated_module", 6, 23))


def test_a_trigger_of_a_rule_that_never_interrupts_is_recorded_so() -> None:
    (trigger,) = run(answer(tool("Bash", ['{"command": "git pu', 'sh"}'])), result()).triggers
    assert (trigger.tool, trigger.target, trigger.interrupts) == ("bash", None, False)


def test_rules_with_globs_fire_once_the_path_is_known() -> None:
    late = json.dumps({"content": "let a: any;", "file_path": "/home/dev/shop/a.ts"})
    (trigger,) = run(answer(tool("Write", cut(late, 6))), result()).triggers
    assert trigger.target is not None
    assert trigger.target.path == "/home/dev/shop/a.ts"


@pytest.mark.parametrize("matching", list(Matching))
def test_a_rule_fires_once_for_each_stream(matching: Matching) -> None:
    text = [*cut("deprecated_module and deprecated_module", 3), " and more"]
    two_calls = answer(tool("Bash", text, call="c1"), tool("Bash", text, 1, call="c2"))
    log = run(answer(prose("text", text)), two_calls, result(), matching=matching)
    assert [trigger.call for trigger in log.triggers] == [None, "c1", "c2"]


def test_the_turn_and_step_of_a_trigger_are_those_of_its_answer() -> None:
    bad = prose("text", ["deprecated_module "])
    log = run(answer(tool("Bash", ['{"command": "ls"}'])), answer(bad, message="m2"), result(), answer(bad), result())
    assert [(trigger.turn, trigger.step) for trigger in log.triggers] == [("t1", 2), ("t2", 0)]
    steps = [(event.turn, event.step) for event in log.events if isinstance(event, StepAppended)]
    assert steps == [("t1", 0), ("t1", 1), ("t1", 2), ("t2", 0)]


def test_answers_of_concurrent_agents_have_steps_of_their_own() -> None:
    lines = [answer(prose("text", ["deprecated_module "], agent=name), message=name, agent=name) for name in ("a", "b")]
    mixed = [line for pair in zip(*lines, strict=True) for line in pair]
    log = run(mixed, result())
    triggers = {(trigger.agent, trigger.step) for trigger in log.triggers}
    steps = {(event.content.agent, event.step) for event in log.events if isinstance(event, StepAppended)}
    assert triggers == steps == {("a", 0), ("b", 1)}


def test_subagents_are_matched_with_the_rules_for_their_kind() -> None:
    text = "---\ncondition: bad\nagents: reviewer\n---\nbody\n"
    log = MemoryLog()
    asked: list[str] = []

    def for_kind(kind: str) -> RulesByDialect:
        asked.append(kind)
        return rules_for(kind, only_reviewers=text)

    watching, adapter = Observer(for_kind, log, settings=Settings(), matching=Matching.STABLE), claude()
    spawn = tool("Agent", ['{"subagent_type": "reviewer"}'], call="toolu_sub")
    lines = flat(
        answer(prose("text", ["bad "]), spawn),
        whole({"type": "text", "text": "bad "}, message="m2", agent="toolu_sub"),
        whole({"type": "text", "text": "bad "}, message="m3", agent="toolu_other"),
        result(),
    )
    watching.feed(adapter.feed(to_bytes(lines)), 0)
    assert [trigger.agent for trigger in log.triggers] == ["toolu_sub"]
    assert asked == ["main", "reviewer", "sub"]


def test_the_kind_of_a_subagent_is_known_after_very_many_others() -> None:
    asked: list[str] = []

    def for_kind(kind: str) -> RulesByDialect:
        asked.append(kind)
        return rules_for(kind)

    watching = Observer(for_kind, MemoryLog(), settings=Settings(), matching=Matching.STABLE)
    watching.feed([SubagentSeen(f"sub{number}", "task") for number in range(MAX_KINDS)], 0)
    watching.feed([SubagentSeen("last", "reviewer"), AnswerStarted("last", "m")], 0)
    assert asked == ["reviewer"]


def test_agents_with_the_same_rules_share_an_automaton(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    notice_builds(monkeypatch, built.append)
    log = MemoryLog()
    watching, adapter = observer(log, RULES), claude()
    messages = [
        whole({"type": "text", "text": "a deprecated_module "}, message=f"m{number}", agent=f"toolu_{number}")
        for number in range(5)
    ]
    watching.feed(adapter.feed(to_bytes(flat(answer(prose("text", ["go "])), *messages, result()))), 0)
    assert {trigger.agent for trigger in log.triggers} == {f"toolu_{number}" for number in range(5)}
    assert len(built) == 1


def test_a_trigger_is_recorded_before_its_notice() -> None:
    log = MemoryLog()
    watching, adapter = observer(log, RULES), claude()
    for line in answer(prose("text", cut("use deprecated_module now", 2))):
        for notice in watching.feed(adapter.feed(to_bytes([line])), 7):
            assert isinstance(notice, TriggerNotice)
            assert notice.event in log.events
    assert len(log.triggers) == 1


LINES = flat(
    prompt("go"),
    answer(prose("text", ["deprecated_module "]), tool("Bash", ['{"command": "git push"}'], 1)),
    tool_result("toolu_1", "ok"),
    answer(prose("text", ["deprecated_module"]), message="m2"),
    result(),
)


@given(st.sets(st.integers(1, 14)))
def test_every_trigger_has_a_notice_for_any_failures_of_the_log(fails: set[int]) -> None:
    log = MemoryLog(fails)
    notices = watch(to_bytes(LINES), log, RULES)
    reported = [notice for notice in notices if isinstance(notice, TriggerNotice | UnloggedTriggerNotice)]
    assert [notice.rule.name for notice in reported] == ["no-old", "no-push", "no-old"]
    assert [notice.event for notice in reported if isinstance(notice, TriggerNotice)] == log.triggers
    if fails & set(range(1, len(log.records) + 1)):
        assert any(isinstance(notice, LogFailedNotice | UnloggedTriggerNotice) for notice in notices)
    replayed = TurnTranslator()
    for event in log.events:
        if isinstance(event, StepAppended | StepUpdated | TurnEnded | RuleTriggered):
            assert replayed.in_turn
        if isinstance(event, TurnStarted):
            assert not replayed.in_turn
        replayed.evolve(event)


def test_without_failures_of_the_log_all_events_are_recorded() -> None:
    log = MemoryLog()
    assert not any(
        isinstance(notice, LogFailedNotice | UnloggedTriggerNotice) for notice in watch(to_bytes(LINES), log, RULES)
    )
    assert len(log.records) == 10


def test_ast_conditions_are_evaluated_on_writes_and_recorded_as_authored() -> None:
    class Finds:
        def search(self, text: str, language: str, patterns: Sequence[str]) -> tuple[AstAnswer, ...]:
            return tuple(Span(0, 4) if (text, language) == ("as any", "typescript") else None for _ in patterns)

    asking = rules(ast="---\ncondition: zzz\nastCondition: $A as any\n---\nNo.\n")
    log = MemoryLog()
    watching = Observer(lambda _: asking, log, settings=Settings(), matching=Matching.STABLE, ast_search=Finds())
    arguments = json.dumps({"file_path": "/home/dev/shop/a.ts", "content": "as any"})
    watching.feed(claude().feed(to_bytes(answer(tool("Write", [arguments])))), 1)
    (trigger,) = log.triggers
    assert (trigger.condition, trigger.condition_index, trigger.excerpt.text) == ("$A as any", 1, "as a")
