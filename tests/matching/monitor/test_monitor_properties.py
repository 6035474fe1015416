"""Both ways of matching equal their simple specifications, on random rules, texts, and deltas."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.rule_files import TEXT, THINKING, rule_of, tool_call
from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.matching.excerpt import code_point_span, code_points_before
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.streams.search_limits import OFFLINE
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, StreamContext, StreamEvent, Trigger

CONDITIONS = [
    r"ab",
    r"\bab\b",
    r"\Bb",
    r"a(?!b)",
    r"a(?=b)",
    r"(?<!a)b",
    r"(?<=a)b",
    r"b$",
    r"(?m)b$",
    r"(?m)^b",
    r"^a",
    r"a(?![\s\S]*b)",
    r"(?=[\s\S]*a)(?=[\s\S]*b)",
    r"(?!a)b(?!\b)",
    r"a|",
    r".*",
    r"^$",
    r"$",
    r"\b",
    r"\B",
    r"a{2,}",
    r"a.?b",
    r"(a|b)\1",
    r"[^a]b",
    r"\ud83d",
    r"\ude00",
    r"\ud83d$",
    r"😀",
    r"^..$",
    r"(?<=\ud83d)",
    r"\n\n",
    r"(?i)A\b",
    r"(?s)a.b",
    r"a+(?=b|$)",
    r"(?:a(?!b)|b)+",
    r"\w\W",
    r"\s+$",
    r"ab*?c|bc",
    r"(?<n>a)\k<n>\b",
    r"(?<!\ud83d)$",
    r"a(?=[\s\S]{3})",
    r"b(?=.*c)",
    r"(?<=^a|\n)b",
]
CALL = tool_call("edit", "src/a.ts")
UNITS = st.text(st.sampled_from("aaabbbc \n\ud83d\ude00😀é"), max_size=24).map(to_units)
TEXTS_OF = {
    "": {TEXT, CALL},
    "scope: text": {TEXT},
    "scope: tool": {CALL},
    "scope: tool:edit(*.ts)": {CALL},
    "scope: tool:write": set[StreamContext](),
    "globs: src/*.ts": {CALL},
    "globs: '*.md'": set[StreamContext](),
}
"""The streams that the scope and the globs of each frontmatter admit."""


@dataclass(frozen=True)
class DrawnRule:
    """A rule, and the contexts that its scope admits."""

    rule: Rule
    contexts: set[StreamContext]


RULES = st.lists(
    st.tuples(st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=3), st.sampled_from(list(TEXTS_OF))),
    min_size=1,
    max_size=5,
).map(
    lambda drawn: [
        DrawnRule(rule_of(*conditions, name=f"r{number}", frontmatter=frontmatter), TEXTS_OF[frontmatter])
        for number, (conditions, frontmatter) in enumerate(drawn)
    ]
)


@st.composite
def cuts(draw: st.DrawFn, units: str) -> list[str]:
    """The deltas of a text that is split anywhere, also within surrogate pairs and with empty deltas."""
    places = sorted(draw(st.lists(st.integers(0, len(units)), max_size=6)))
    edges = [0, *places, len(units)]
    parts = [units[start:end] for start, end in pairwise(edges)]
    return [delta.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") for delta in parts]


@st.composite
def streamed(draw: st.DrawFn, units: str, context: StreamContext) -> list[StreamEvent]:
    """The events of a text: deltas, or snapshots of the text so far."""
    events: list[StreamEvent] = []
    so_far = ""
    for delta in draw(cuts(units)):
        so_far = to_units(so_far + delta)
        brought: list[StreamEvent] = [Delta(context, delta), Snapshot(context, so_far)]
        events.append(draw(st.sampled_from(brought)))
    return [*events, BlockEnd(context)]


def whole_text(units: str, context: StreamContext) -> st.SearchStrategy[Delta | Snapshot]:
    return st.booleans().map(lambda is_delta: Delta(context, units) if is_delta else Snapshot(context, units))


def monitor_of(rules: list[DrawnRule], matching: Matching = Matching.STABLE) -> Monitor:
    return Monitor(RuleSet(tuple(drawn.rule for drawn in rules)), None, matching, limits=OFFLINE)


def feed_all(rules: list[DrawnRule], events: list[StreamEvent], matching: Matching = Matching.STABLE) -> list[Trigger]:
    monitor = monitor_of(rules, matching)
    triggers = [trigger for event in events for trigger in monitor.feed(event)]
    assert not monitor.disabled_conditions
    return triggers


Fired = tuple[str, int, int, int, int]
"""Rule, index of the condition, start and end of the match, and offset of the trigger."""


def stable_specification(rules: list[DrawnRule], units: str, context: StreamContext) -> list[Fired]:
    """Each rule at the least prefix on which a condition is final, found by trying every prefix; else at the end."""
    early: list[tuple[int, int, Fired]] = []
    late: list[tuple[int, int, Fired]] = []
    for order, rule in enumerate(drawn.rule for drawn in rules if context in drawn.contexts):
        rule_matches = [
            (length, index, condition.final_matcher.search(units[:length]))
            for length in range(len(units) + 1)
            for index, condition in enumerate(rule.conditions)
            if condition.final_matcher.test(units[:length])
        ]
        at_end = [
            (len(units), index, condition.matcher.search(units))
            for index, condition in enumerate(rule.conditions)
            if condition.matcher.test(units)
        ]
        for found, into in ((rule_matches, early), (at_end if not rule_matches else [], late)):
            if found:
                length, index, span = found[0]
                assert span is not None
                start, end = code_point_span(units[:length], span.start, span.end)
                into.append((length, order, (rule.name, index, start, end, code_points_before(units, length))))
    return [trigger for _, _, trigger in sorted(early) + sorted(late)]


@settings(deadline=None)
@given(st.data(), RULES, UNITS, st.sampled_from([CALL, TEXT]))
def test_stable_matching_equals_the_specification_for_any_deltas(
    data: st.DataObject, rules: list[DrawnRule], units: str, context: StreamContext
) -> None:
    triggers = feed_all(rules, data.draw(streamed(units, context)))
    assert fired(triggers) == stable_specification(rules, units, context)


def fired(triggers: Iterable[Trigger]) -> list[Fired]:
    return [(trigger.rule.name, trigger.condition, trigger.start, trigger.end, trigger.offset) for trigger in triggers]


@settings(deadline=None)
@given(st.data(), RULES, st.lists(UNITS, min_size=1, max_size=3), st.sampled_from([CALL, TEXT]))
def test_a_text_that_was_read_as_a_whole_has_the_triggers_of_its_stream(
    data: st.DataObject, rules: list[DrawnRule], texts: list[str], context: StreamContext
) -> None:
    monitor = monitor_of(rules)
    for units in texts:
        event = data.draw(whole_text(units, context))
        monitor.is_quiet(event)
        assert fired(monitor.feed(event) + monitor.feed(BlockEnd(context))) == stable_specification(
            rules, units, context
        )


@settings(deadline=None)
@given(st.data(), RULES, UNITS, UNITS)
def test_a_text_that_was_read_as_a_whole_may_be_continued(
    data: st.DataObject, rules: list[DrawnRule], units: str, rest: str
) -> None:
    monitor = monitor_of(rules)
    event = data.draw(whole_text(units, CALL))
    more: StreamEvent = Delta(CALL, rest)
    if data.draw(st.booleans()):
        more = Snapshot(CALL, to_units(units + rest))
    monitor.is_quiet(event)
    triggers = monitor.feed(event) + monitor.feed(more) + monitor.feed(BlockEnd(CALL))
    assert fired(triggers) == stable_specification(rules, to_units(units + rest), CALL)


@settings(deadline=None)
@given(RULES, st.lists(UNITS, min_size=1, max_size=3), st.sampled_from([CALL, TEXT, THINKING]))
def test_no_rule_fires_on_a_quiet_text(rules: list[DrawnRule], texts: list[str], context: StreamContext) -> None:
    monitor = monitor_of(rules)
    for units in texts:
        expected = stable_specification(rules, units, context)
        for event in (Delta(context, units), Snapshot(context, units)):
            assert not (monitor.is_quiet(event) and expected), units


def test_a_text_is_quiet_if_no_rule_that_may_fire_matches_it() -> None:
    drawn = DrawnRule(rule_of("zqv+", frontmatter="scope: text", name="r"), {TEXT})
    monitor = monitor_of([drawn])
    assert monitor.is_quiet(Delta(TEXT, "a zq b"))
    assert not monitor.is_quiet(Delta(TEXT, "a zqv b"))
    assert monitor.is_quiet(Delta(CALL, "a zqv b"))
    monitor.mark_injected(["r"])
    assert monitor.is_quiet(Delta(TEXT, "a zqv b"))


def test_the_text_of_an_open_stream_is_not_quiet() -> None:
    monitor = monitor_of([DrawnRule(rule_of("zqv"), {TEXT})])
    monitor.feed(Delta(TEXT, "zq"))
    assert not monitor.is_quiet(Delta(TEXT, "v"))


@settings(deadline=None)
@given(st.data(), RULES, UNITS)
def test_stable_triggers_are_independent_of_delta_boundaries(
    data: st.DataObject, rules: list[DrawnRule], units: str
) -> None:
    whole = feed_all(rules, [Delta(CALL, units), BlockEnd(CALL)])
    assert feed_all(rules, data.draw(streamed(units, CALL))) == whole
    unit_by_unit = [Delta(CALL, unit) for unit in units]
    assert feed_all(rules, [*unit_by_unit, BlockEnd(CALL)]) == whole


@settings(deadline=None)
@given(st.data(), RULES, UNITS)
def test_a_final_match_remains_a_match_of_every_continuation(
    data: st.DataObject, rules: list[DrawnRule], units: str
) -> None:
    details = data.draw(UNITS)
    for trigger in feed_all(rules, [Delta(CALL, units)]):
        rule = next(drawn.rule for drawn in rules if drawn.rule.name == trigger.rule.name)
        for continuation in (units, units + details):
            assert rule.conditions[trigger.condition].matcher.test(continuation)


@settings(deadline=None)
@given(st.data(), RULES, UNITS, UNITS)
def test_a_snapshot_that_replaces_text_is_matched_on_its_own(
    data: st.DataObject, rules: list[DrawnRule], before: str, after: str
) -> None:
    monitor = monitor_of(rules)
    fired = {trigger.rule.name for trigger in monitor.feed(Snapshot(CALL, before))}
    triggers = [*monitor.feed(Snapshot(CALL, after)), *monitor.feed(BlockEnd(CALL))]
    alone_triggers = feed_all(rules, data.draw(streamed(after, CALL)))
    assert [trigger for trigger in alone_triggers if trigger.rule.name not in fired] == triggers


@settings(deadline=None)
@given(st.data(), RULES, UNITS)
def test_reference_matching_searches_the_whole_buffer_at_each_delta(
    data: st.DataObject, rules: list[DrawnRule], units: str
) -> None:
    monitor = monitor_of(rules, Matching.REFERENCE)
    admitted = [drawn.rule for drawn in rules if CALL in drawn.contexts]
    buffer = ""
    for delta in data.draw(cuts(units)):
        buffer += to_units(delta)
        expected = [
            rule.name
            for rule in admitted
            if any(compile_condition(condition.source).matcher.test(buffer) for condition in rule.conditions)
        ]
        triggers = monitor.feed(Delta(CALL, delta))
        assert [trigger.rule.name for trigger in triggers] == expected
        assert all(trigger.offset == code_points_before(buffer, len(buffer)) for trigger in triggers)
    assert monitor.feed(BlockEnd(CALL)) == ()


@given(RULES, UNITS)
def test_thinking_is_matched_only_with_an_explicit_scope(rules: list[DrawnRule], units: str) -> None:
    assert feed_all(rules, [Delta(THINKING, units), BlockEnd(THINKING)]) == []
