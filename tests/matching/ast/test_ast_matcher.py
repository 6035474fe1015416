"""AST conditions in the monitor: when they are evaluated, which triggers they have, and how they fail."""

import json
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from tests.rules.rule_files import TEXT, registration_of, rule_set_of, tool_call
from ttsr_ls.matching.ast.ast_grep import ParsedText
from ttsr_ls.matching.ast.search import AstAnswer, AstFailure
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import BlockEnd, Delta, Payload, Snapshot, StreamContext, StreamEvent, Trigger


class Searching:
    """Searches in this process, and records the searches."""

    def __init__(self, **failures: AstFailure) -> None:
        self.asked: list[tuple[str, str, tuple[str, ...]]] = []
        self.failures = failures

    def search(self, text: str, language: str, patterns: Sequence[str]) -> tuple[AstAnswer, ...]:
        self.asked.append((text, language, tuple(patterns)))
        parsed = ParsedText(text, language)
        return tuple(
            self.failures.get(pattern) or next(iter(parsed.find_all(pattern, 1)), None) for pattern in patterns
        )


def written(*paths: str, tool: str = "edit", key: str = "toolcall:1") -> StreamContext:
    return replace(tool_call(tool, *paths, key=key), payload=Payload.WRITTEN)


def ast_rule(*patterns: str, name: str = "r", more: str = "") -> Registration:
    return registration_of(f"astCondition: {json.dumps(patterns)}\n{more}", name)


def feed(monitor: Monitor, *events: StreamEvent) -> list[Trigger]:
    return [trigger for event in events for trigger in monitor.feed(event)]


@pytest.fixture(params=list(Matching))
def matching(request: pytest.FixtureRequest) -> Matching:
    return Matching(request.param)


def test_a_finished_call_triggers_at_the_matching_node(matching: Matching) -> None:
    monitor = Monitor(rule_set_of(ast_rule("nothing", "eval($A)")), None, matching, ast_search=Searching())
    text, context = "x = '😀'; eval(y); z()", written("a.ts")
    assert feed(monitor, Snapshot(context, text[:9]), Snapshot(context, text)) == []
    (trigger,) = monitor.feed(BlockEnd(context))
    assert (trigger.rule.name, trigger.condition) == ("r", 1)
    assert text[trigger.start : trigger.end] == "eval(y)"
    assert trigger.offset == len(text)
    assert trigger.excerpt.text.endswith("eval(y)")


def test_regular_expressions_fire_before_ast_conditions_and_a_rule_fires_once() -> None:
    rules = rule_set_of(
        registration_of("condition: 'foo'\nastCondition: 'eval($A)'", "both"),
        ast_rule("eval($A)", name="ast"),
        registration_of("condition: 'eval.*$'", "late"),
    )
    monitor, context = Monitor(rules, ast_search=Searching()), written("a.ts")
    assert [trigger.rule.name for trigger in monitor.feed(Snapshot(context, "foo; eval(1)"))] == ["both"]
    assert [trigger.rule.name for trigger in monitor.feed(BlockEnd(context))] == ["late", "ast"]


def test_ast_conditions_are_numbered_after_regular_expressions() -> None:
    registration = registration_of("condition: ['a1', 'a2']\nastCondition: ['b1($A)', 'b2($A)']")
    monitor, context = Monitor(rule_set_of(registration), ast_search=Searching()), written("a.ts")
    (trigger,) = feed(monitor, Snapshot(context, "b2(x)"), BlockEnd(context))
    assert registration.rule is not None
    assert registration.rule.condition_texts[trigger.condition] == "b2($A)"


@pytest.mark.parametrize(
    ("context", "why"),
    [
        (TEXT, "prose is not parsed"),
        (tool_call("edit", "a.ts"), "nor are arguments"),
        (written(), "without a path there is no language"),
        (written("Dockerfile"), "nor without an extension"),
        (written("a.unknown"), "nor with an unknown one"),
        (written("a.toml"), "nor with one that only the reference knows"),
    ],
)
def test_streams_that_are_not_written_code_are_not_parsed(context: StreamContext, why: str, matching: Matching) -> None:
    search = Searching()
    monitor = Monitor(rule_set_of(ast_rule("$A")), None, matching, ast_search=search)
    assert feed(monitor, Snapshot(context, "f(1)"), BlockEnd(context)) == [], why
    assert search.asked == []


def test_only_patterns_of_admitted_rules_are_searched() -> None:
    rules = rule_set_of(
        ast_rule("f($A)", name="scope", more="scope: 'tool:write(*.ts)'"),
        ast_rule("g($A)", name="globs", more="globs: ['*.py']"),
        ast_rule("h($A)", name="text", more="scope: text"),
        ast_rule("i($A)", name="injected"),
        ast_rule("j($A)", name="asked"),
    )
    search = Searching()
    monitor = Monitor(rules, ast_search=search)
    monitor.mark_injected(["injected"])
    feed(monitor, Snapshot(written("a.ts"), "x"), BlockEnd(written("a.ts")))
    assert [patterns for _, _, patterns in search.asked] == [("j($A)",)]


def test_ast_conditions_match_a_call_that_came_in_deltas() -> None:
    monitor, context = Monitor(rule_set_of(ast_rule("f($A)")), ast_search=Searching()), written("a.ts")
    assert len(feed(monitor, Delta(context, "f("), Delta(context, "1)"), BlockEnd(context))) == 1


def test_reference_matching_parses_an_unchanged_text_once_until_a_reset() -> None:
    search = Searching()
    monitor = Monitor(rule_set_of(ast_rule("f($A)")), None, Matching.REFERENCE, ast_search=search)
    context = written("a.ts")
    for texts, asked in ((["f(1)"], 1), (["f(1)"], 1), (["f(2)"], 2), (["f(1)"], 3)):
        feed(monitor, *(Snapshot(context, text) for text in texts), BlockEnd(context))
        assert len(search.asked) == asked
    monitor.reset()
    feed(monitor, Snapshot(context, "f(1)"), BlockEnd(context))
    assert len(search.asked) == 4


def test_a_slow_ast_pattern_is_disabled_and_others_still_match() -> None:
    search = Searching(slow=AstFailure.PATTERN)
    rules = rule_set_of(ast_rule("slow", name="a"), registration_of("condition: zzz\nastCondition: [slow, fine]", "b"))
    monitor, context = Monitor(rules, ast_search=search), written("a.ts")
    assert [trigger.rule.name for trigger in feed(monitor, Snapshot(context, "slow; fine"), BlockEnd(context))] == ["b"]
    assert [(condition.rule.name, condition.condition) for condition in monitor.disabled_conditions] == [
        ("a", 0),
        ("b", 1),
    ]
    feed(monitor, Snapshot(context, "x"), BlockEnd(context))
    assert search.asked[1][2] == ("fine",)


def test_a_text_too_large_to_parse_is_reported_without_disabling_rules() -> None:
    search = Searching(x=AstFailure.TEXT)
    monitor, context = Monitor(rule_set_of(ast_rule("x")), ast_search=search), written("a.ts")
    feed(monitor, Snapshot(context, "x"), BlockEnd(context))
    assert monitor.disabled_streams == ("toolcall:1",)
    assert monitor.disabled_conditions == ()
    search.failures.clear()
    assert len(feed(monitor, Snapshot(context, "x"), BlockEnd(context))) == 1


def test_ast_conditions_without_a_search_are_reported_as_disabled() -> None:
    monitor, context = Monitor(rule_set_of(ast_rule("x", "y"))), written("a.ts")
    assert feed(monitor, Snapshot(context, "x"), BlockEnd(context)) == []
    assert [(condition.rule.name, condition.condition) for condition in monitor.disabled_conditions] == [
        ("r", 0),
        ("r", 1),
    ]
