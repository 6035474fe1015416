"""Deltas with the context object of the previous delta take a fast path with the same triggers."""

from collections.abc import Callable, Sequence
from operator import methodcaller
from random import Random

import pytest
from msgspec.structs import replace

from tests.rules.rule_files import TEXT, THINKING, rule_of, tool_call
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, StreamContext, StreamEvent

Action = Callable[[Monitor], None]
FEW_STEPS = replace(LIVE, delta=4, share=2, stream_length=150)
RULES = RuleSet(
    (
        rule_of(r"\bquux7z\b", name="word", frontmatter="scope: [text, thinking, tool]"),
        rule_of(r"(\w\w)\1Q", name="deferred"),
        rule_of(r"ends$", name="end", frontmatter="scope: [text, tool]"),
        rule_of(r"\bother\b", name="path", frontmatter="scope: 'tool:edit(*.py)'"),
        rule_of(r"a b", name="again", frontmatter="repeatMode: after-gap\nrepeatGap: 1"),
        rule_of(r"plain", name="once", frontmatter="repeatMode: once"),
    )
)
PIECES = ["quux7z", " ", "abab", "Q", "ends", "other ", "a b", "plain", "é", "\ud83d", "\ude00", "", "some words " * 3]
CONTEXTS = [TEXT, THINKING, tool_call("edit", "a.js"), tool_call("edit", "a.py"), tool_call("write", key="toolcall:2")]


def events(random: Random) -> list[StreamEvent | Action]:
    made: list[StreamEvent | Action] = []
    context = TEXT
    for _ in range(120):
        if random.random() < 0.2:
            context = random.choice(CONTEXTS)
        text = random.choice(PIECES)
        match random.randrange(20):
            case 0:
                made.append(Snapshot(context, text * random.randrange(9)))
            case 1:
                made.append(BlockEnd(context))
            case 2:
                made.append(random.choice([Monitor.end_turn, Monitor.end_answer, Monitor.reset]))
            case 3:
                made.append(methodcaller("mark_injected", [random.choice(["again", "once"])]))
            case _:
                made.append(Delta(context, text))
    return made


def triggers(happened: Sequence[StreamEvent | Action], of: Callable[[StreamContext], StreamContext]) -> list[object]:
    monitor = Monitor(RULES, limits=FEW_STEPS)
    found: list[object] = []
    for each in happened:
        if isinstance(each, Delta | Snapshot | BlockEnd):
            fired = monitor.feed(replace(each, context=of(each.context)))
            found.append([(trigger.rule.name, trigger.start, trigger.offset, trigger.context) for trigger in fired])
            found += [monitor.deferred_rules, monitor.disabled_streams]
        else:
            each(monitor)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_one_context_object_and_equal_ones_give_the_same_triggers(seed: int) -> None:
    happened = events(Random(seed))
    assert triggers(happened, lambda context: context) == triggers(happened, replace)


def test_the_random_events_trigger_each_rule_and_exceed_each_limit() -> None:
    found = [repr(triggers(events(Random(seed)), replace)) for seed in range(6)]
    for name in [rule.name for rule in RULES.rules]:
        assert any(f"'{name}'" in each for each in found), name
    assert any("('deferred',)" in each for each in found)
    assert any("('toolcall:1',)" in each for each in found)
