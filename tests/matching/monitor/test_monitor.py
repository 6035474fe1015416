"""The monitor, case by case: the triggers of both ways of matching, and the limits."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from tests.rules.rule_files import TEXT, THINKING, registration_of, rule_of, rule_set_of, tool_call
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, RepeatMode, Settings
from ttsr_ls.rules.stream import (
    BlockEnd,
    Delta,
    Excerpt,
    Snapshot,
    Source,
    StreamContext,
    StreamEvent,
    Trigger,
    stream_key,
)

STABLE, REFERENCE = Matching


def monitor_of(
    *rules: Rule, matching: Matching = STABLE, settings: Settings | None = None, length: int = LIVE.stream_length
) -> Monitor:
    return Monitor(RuleSet(rules), settings, matching, limits=replace(LIVE, stream_length=length))


def deltas(*texts: str, context: StreamContext = TEXT) -> list[StreamEvent]:
    return [Delta(context, text) for text in texts]


def fed(monitor: Monitor, events: Iterable[StreamEvent]) -> list[list[str]]:
    """For each event the triggers, as `rule@offset`."""
    return [[f"{trigger.rule.name}@{trigger.offset}" for trigger in monitor.feed(event)] for event in events]


@pytest.mark.parametrize(
    ("condition", "texts", "reference", "stable", "at_end"),
    [
        (r"\bany\b", ("any", "thing"), [["r@3"], []], [[], []], []),
        (r"\bany\b", ("any", " thing"), [["r@3"], ["r@9"]], [[], ["r@4"]], []),
        (r"\bany\b", ("an", "y"), [[], ["r@3"]], [[], []], ["r@3"]),
        ("unwrap(?!_or)", ("unwrap", "_or"), [["r@6"], []], [[], []], []),
        ("unwrap(?!_or)", ("unwrap", "()"), [["r@6"], ["r@8"]], [[], ["r@7"]], []),
        ("done$", ("done", " now"), [["r@4"], []], [[], []], []),
        ("done$", ("all", "done"), [[], ["r@7"]], [[], []], ["r@7"]),
        ("(?m)done$", ("done", "\nx"), [["r@4"], ["r@6"]], [[], ["r@5"]], []),
        (r"foo(?![\s\S]*bar)", ("foo", " bar"), [["r@3"], []], [[], []], []),
        (r"foo(?![\s\S]*bar)", ("foo", " ba"), [["r@3"], ["r@6"]], [[], []], ["r@6"]),
        ("any", ("a", "nything"), [[], ["r@8"]], [[], ["r@3"]], []),
        (".*", ("x",), [["r@1"]], [["r@0"]], []),
        ("a{3}", ("aaaa", "a"), [["r@4"], ["r@5"]], [["r@3"], []], []),
    ],
)
def test_a_condition_triggers_at_the_expected_delta(
    condition: str, texts: tuple[str, ...], reference: list[list[str]], stable: list[list[str]], at_end: list[str]
) -> None:
    events = [*deltas(*texts), BlockEnd(TEXT)]
    assert fed(monitor_of(rule_of(condition), matching=REFERENCE), events) == [*reference, []]
    assert fed(monitor_of(rule_of(condition)), events) == [*stable, at_end]


def test_a_trigger_has_position_condition_and_excerpt() -> None:
    rule = rule_of("never", r"\bany\b")
    monitor = monitor_of(rule)
    assert monitor.feed(Delta(TEXT, "😀 let x as any = 1")) == (
        Trigger(
            rule,
            TEXT,
            condition=1,
            start=11,
            end=14,
            offset=15,
            excerpt=Excerpt("😀 let x as any", 11, 14),
            interrupts=True,
        ),
    )


def test_interrupt_mode_decides_whether_a_trigger_interrupts() -> None:
    rules = rule_of("x"), rule_of("x", name="tools", frontmatter="interruptMode: tool-only")
    monitor = monitor_of(*rules)
    assert [trigger.interrupts for trigger in monitor.feed(Delta(TEXT, "x"))] == [True, False]
    assert [trigger.interrupts for trigger in monitor.feed(Delta(tool_call(), "x"))] == [True, True]


def test_stable_triggers_are_in_text_order_and_reference_triggers_in_rule_order() -> None:
    rules = rule_of("late", name="a"), rule_of("early", name="b"), rule_of("e", name="c"), rule_of("e", name="d")
    assert fed(monitor_of(*rules), deltas("early late")) == [["c@1", "d@1", "b@5", "a@10"]]
    assert fed(monitor_of(*rules, matching=REFERENCE), deltas("early late")) == [["a@10", "b@10", "c@10", "d@10"]]


def test_a_trigger_names_the_first_matching_condition() -> None:
    rule = rule_of("later", "first", "fir")
    assert [trigger.condition for trigger in monitor_of(rule).feed(Delta(TEXT, "first later"))] == [2]
    reference = monitor_of(rule, matching=REFERENCE)
    assert [trigger.condition for trigger in reference.feed(Delta(TEXT, "first later"))] == [0]


def test_a_trigger_names_the_first_of_conditions_final_on_the_same_prefix() -> None:
    assert [trigger.condition for trigger in monitor_of(rule_of("x", "a|b", "a")).feed(Delta(TEXT, "a"))] == [1]


def test_stable_matching_fires_a_rule_once_per_block() -> None:
    monitor = monitor_of(rule_of("x"))
    assert fed(monitor, deltas("x", "x")) == [["r@1"], []]
    monitor.feed(BlockEnd(TEXT))
    assert fed(monitor, deltas("x")) == [["r@1"]]


def test_reference_matching_continues_the_buffer_after_a_block() -> None:
    monitor = monitor_of(rule_of("ab"), matching=REFERENCE)
    assert fed(monitor, [*deltas("a"), BlockEnd(TEXT), *deltas("b")]) == [[], [], ["r@2"]]


def test_the_repeat_policy_counts_injections_not_triggers() -> None:
    monitor = monitor_of(rule_of("x"))
    assert fed(monitor, [*deltas("x"), BlockEnd(TEXT), *deltas("x")]) == [["r@1"], [], ["r@1"]]
    monitor.mark_injected(["r"])
    monitor.reset()
    assert fed(monitor, deltas("x")) == [[]]


def test_a_rule_fires_again_in_a_running_stream_after_its_gap() -> None:
    monitor = monitor_of(rule_of("x"), settings=Settings(repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=1))
    monitor.mark_injected(["r"])
    assert fed(monitor, deltas("ax")) == [[]]
    monitor.end_answer()
    assert fed(monitor, deltas("b")) == [["r@2"]]


@pytest.mark.parametrize("matching", Matching)
def test_each_stream_has_its_own_buffer(matching: Matching) -> None:
    monitor = monitor_of(rule_of("ab", frontmatter="scope: text, thinking, tool"), matching=matching)
    contexts = [
        TEXT,
        THINKING,
        tool_call(key="1"),
        tool_call(key="2"),
        tool_call(key=None),
        tool_call("bash", key=None),
    ]
    assert fed(monitor, [Delta(context, "a") for context in contexts]) == [[]] * len(contexts)
    assert fed(monitor, [Delta(context, "b") for context in contexts]) == [["r@2"]] * len(contexts)


@pytest.mark.parametrize("matching", Matching)
def test_a_reset_forgets_every_stream(matching: Matching) -> None:
    monitor = monitor_of(rule_of("ab"), matching=matching)
    monitor.feed(Delta(TEXT, "a"))
    monitor.reset()
    assert fed(monitor, deltas("b")) == [[]]


@pytest.mark.parametrize("matching", Matching)
def test_a_path_known_only_in_mid_stream_applies_to_the_whole_buffer(matching: Matching) -> None:
    rule = rule_of("any", frontmatter="scope: tool:edit(*.ts)")
    events: list[StreamEvent] = [Delta(tool_call("edit"), "any"), Delta(tool_call("edit", "a.ts"), " more")]
    offset = {STABLE: 3, REFERENCE: 8}[matching]
    assert fed(monitor_of(rule, matching=matching), events) == [[], [f"r@{offset}"]]


def test_a_path_known_only_at_the_end_of_the_block_applies() -> None:
    rule = rule_of("any", "end$", frontmatter="globs: '*.ts'")
    monitor = monitor_of(rule)
    assert fed(monitor, [Delta(tool_call(), "any end"), BlockEnd(tool_call("edit", "a.ts"))]) == [[], ["r@3"]]
    assert fed(monitor, [Delta(tool_call(), "the end"), BlockEnd(tool_call("edit", "a.ts"))]) == [[], ["r@7"]]


def test_globs_reject_streams_without_paths() -> None:
    rule = rule_of("x", frontmatter="globs: '*'")
    events = [*deltas("x"), BlockEnd(TEXT), Delta(tool_call("edit", "a"), "x")]
    assert fed(monitor_of(rule), events) == [[], [], ["r@1"]]


def test_a_growing_snapshot_is_fed_like_a_delta() -> None:
    monitor = monitor_of(rule_of("ab", name="one"), rule_of("b$", name="end"))
    call = tool_call()
    snapshots = [Snapshot(call, "a"), Snapshot(call, "a"), Snapshot(call, "ab")]
    events: list[StreamEvent] = [*snapshots, Delta(call, "!"), Snapshot(call, "ab!b")]
    assert fed(monitor, [*events, BlockEnd(call)]) == [[], [], ["one@2"], [], [], ["end@4"]]


def test_a_replaced_snapshot_is_evaluated_anew_without_firing_a_rule_twice() -> None:
    monitor = monitor_of(rule_of("a", name="a"), rule_of("b", name="b"))
    call = tool_call()
    assert fed(monitor, [Snapshot(call, "xa"), Snapshot(call, "ab"), Snapshot(call, "b")]) == [["a@2"], ["b@2"], []]


def test_a_replaced_snapshot_is_evaluated_anew_for_rules_admitted_later() -> None:
    rule, late_rule = rule_of("a", name="early"), rule_of("a", name="late", frontmatter="globs: '*.ts'")
    monitor = monitor_of(rule, late_rule)
    assert fed(monitor, [Snapshot(tool_call(), "xa"), Snapshot(tool_call("edit", "a.ts"), "b")]) == [["early@2"], []]
    assert fed(monitor, [Snapshot(tool_call("edit", "a.ts"), "ba")]) == [["late@2"]]


def test_a_block_without_text_matches_as_an_empty_text() -> None:
    assert fed(monitor_of(rule_of("^$")), [BlockEnd(TEXT)]) == [["r@0"]]


def test_questions_and_ast_conditions_do_not_match_on_streams() -> None:
    question = registration_of("question: Is it so?", "question")
    pattern = registration_of("astCondition: f($A)", "pattern")
    rule_set = rule_set_of(question, pattern)
    assert len(rule_set.rules) == 2
    events = [*deltas("f(1)"), Snapshot(tool_call("edit", "a.ts"), "f(1)"), BlockEnd(TEXT)]
    assert fed(Monitor(rule_set), events) == [[], [], []]


@pytest.mark.parametrize("matching", Matching)
def test_a_condition_beyond_its_limit_is_disabled_and_others_still_match(matching: Matching) -> None:
    slow = r"(.+)(.+)(.+)(.+)X\4\3\2\1!"
    monitor = monitor_of(rule_of("x", slow, name="r"), rule_of(slow, name="s"), matching=matching)
    distinct = "".join(map(chr, range(0x100, 0x140)))
    # The search continues with the next deltas.
    assert fed(monitor, deltas(f"{distinct}X{distinct}!", *"dddddddd")) == [[]] * 9
    assert monitor.deferred_rules == ("r", "s")
    assert not list(monitor.disabled_conditions)
    assert fed(monitor, [*deltas(*"d" * 300), BlockEnd(TEXT)]) == [[]] * 301
    assert monitor.deferred_rules == ()
    assert [(condition.rule.name, condition.condition) for condition in monitor.disabled_conditions] == [
        ("r", 1),
        ("s", 0),
    ]
    assert [trigger.rule.name for trigger in monitor.feed(Delta(TEXT, "x"))] == ["r"]


def test_a_stream_beyond_the_length_limit_is_matched_up_to_it_and_has_no_end() -> None:
    monitor = monitor_of(rule_of("b", name="b"), rule_of("c", name="c"), rule_of("a$", name="end"), length=10)
    assert fed(monitor, [*deltas("a" * 8, "abac", "c"), BlockEnd(TEXT)]) == [[], ["b@10"], [], []]
    assert monitor.disabled_streams == ("text",)
    call = tool_call()
    assert fed(monitor, [Snapshot(call, "a" * 11), BlockEnd(call)]) == [[], []]
    assert monitor.disabled_streams == ("text", "toolcall:1")


def test_reference_matching_of_a_truncated_stream_uses_the_kept_part() -> None:
    monitor = monitor_of(rule_of("b"), matching=REFERENCE, length=10)
    assert fed(monitor, deltas("a" * 9, "ab", "b")) == [[], [], []]
    assert fed(monitor, [Snapshot(tool_call(), "a" * 9 + "bb")]) == [["r@10"]]
    assert monitor.disabled_streams == ("text", "toolcall:1")


def test_a_snapshot_within_the_length_limit_is_matched_to_its_end() -> None:
    call = tool_call()
    events: list[StreamEvent] = [Snapshot(call, "a" * 11), Snapshot(call, "aa"), BlockEnd(call)]
    assert fed(monitor_of(rule_of("a$"), length=10), events) == [[], [], ["r@2"]]


def test_a_shorter_snapshot_frees_room_for_later_deltas() -> None:
    call = tool_call()
    monitor = monitor_of(rule_of("b"), length=10)
    assert fed(monitor, [*deltas("a" * 8, context=call), Snapshot(call, "aa")]) == [[], []]
    assert fed(monitor, deltas("aaaab", "aaa", context=call)) == [["r@7"], []]
    assert monitor.disabled_streams == ()
    assert fed(monitor, deltas("a", context=call)) == [[]]
    assert monitor.disabled_streams == ("toolcall:1",)


def test_streams_outside_every_scope_are_not_kept() -> None:
    monitor = monitor_of(rule_of("b", frontmatter="scope: tool"), length=10)
    assert fed(monitor, deltas("a" * 20)) == [[]]
    assert monitor.disabled_streams == ()


def test_truncation_is_independent_of_delta_boundaries() -> None:
    call = tool_call()
    for events in (
        [Delta(call, "aab😀b")],
        [Delta(call, "aab\ud83d"), Delta(call, "\ude00b")],
        [Snapshot(call, "aab😀b")],
    ):
        assert [
            found
            for answer in fed(monitor_of(rule_of("b", r"\ud83d"), length=4), [*events, BlockEnd(call)])
            for found in answer
        ] == ["r@3"]


@pytest.mark.parametrize(
    ("context", "key"),
    [
        (TEXT, "text"),
        (THINKING, "thinking"),
        (tool_call("edit", key="toolcall:1"), "toolcall:1"),
        (tool_call("Edit ", key=" "), "tool:edit"),
        (StreamContext(Source.TOOL), "tool"),
        (StreamContext(Source.TEXT, key="k"), "k"),
    ],
)
def test_stream_keys_distinguish_streams(context: StreamContext, key: str) -> None:
    assert stream_key(context) == key
