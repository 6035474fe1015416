"""Trying rules on a text of an editor: matches, the delta of each firing, and what stops a rule."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ttsr_ls.ide.text_trial.delta_firings import DeltaFiring, TrialMonitors
from ttsr_ls.ide.text_trial.rule_gates import rule_gates
from ttsr_ls.ide.text_trial.streamed_text import TextKind, default_kind, stream_context_of_kind, stream_text_of
from ttsr_ls.ide.text_trial.text_trial import DeltaStream, RuleTextTrial, TextTrial, run_text_trial
from ttsr_ls.ide.text_trial.trial_report import trial_report, trial_summary
from ttsr_ls.ide.trial.rule_trial import Streaming, run_trial
from ttsr_ls.ide.why.gates import Gate, GateVerdict
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.matching.streams.search_limits import OFFLINE_IN_DELTAS
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import Span


def rule(frontmatter: str, name: str = "a") -> Rule:
    made = register(read_rule(f"---\n{frontmatter}\n---\nno\n", name=name, path=f"/p/{name}.md"), "test").rule
    assert made is not None
    return made


def tried(
    *rules: Rule,
    text: str,
    kind: TextKind = TextKind.TEXT,
    path: str | None = None,
    chunk: int = 4,
    shown: int | None = None,
) -> TextTrial:
    context = stream_context_of_kind(kind, None, path, "/p")
    return run_text_trial(
        RulesByDialect.from_rules(rules), stream_text_of(text, context), DeltaStream(chunk, shown), TrialMonitors()
    )


def one(only: Rule, *, text: str, chunk: int = 4) -> RuleTextTrial:
    (found,) = tried(only, text=text, chunk=chunk).rules
    return found


def test_all_matches_of_all_conditions_are_found_with_their_groups() -> None:
    matches = one(rule(r"condition: ['b(?<x>c)?', 'c']"), text="😀bc b").matches
    assert [(match.condition, match.span) for match in matches.found] == [
        (0, Span(1, 3)),
        (1, Span(2, 3)),
        (0, Span(4, 5)),
    ]
    assert [(group.number, group.name, group.span) for group in matches.found[0].groups] == [(1, "x", Span(2, 3))]
    assert matches.found[2].groups == ()


def test_the_number_of_groups_that_are_looked_up_is_bounded() -> None:
    matches = one(rule(f"condition: '{'()' * 400}a'"), text="😀" + "a" * 50).matches
    assert [len(match.groups) for match in matches.found] == [400] * 3 + [0] * 47


@pytest.mark.parametrize(
    ("condition", "text", "chunk", "stable", "reference"),
    [
        ("abc", "xxabcxxx", 4, (2, 5, False), (2, 8, False)),
        # `reference` matching sees the end of a delta as the end of the text.
        (r"\bany\b", "anything", 3, None, (1, 3, False)),
        (r"unwrap(?!_or)", "unwrap()", 6, (2, 7, False), (1, 6, False)),
        ("done$", "done", 2, (2, 4, True), (2, 4, False)),
        ("zzz", "abc", 2, None, None),
    ],
)
def test_each_way_of_matching_fires_with_its_delta(
    condition: str, text: str, chunk: int, stable: tuple[int, int, bool] | None, reference: tuple[int, int, bool] | None
) -> None:
    trial = one(rule(f"condition: '{condition}'"), text=text, chunk=chunk)
    assert shown(trial.stable) == stable
    assert shown(trial.reference) == reference


def shown(firing: DeltaFiring | None) -> tuple[int, int, bool] | None:
    return None if firing is None else (firing.delta, firing.trigger.offset, firing.is_at_end)


@pytest.mark.parametrize("chunk", [1, 3, 7, 64])
def test_the_shortcuts_fire_as_the_engine_does_delta_by_delta(chunk: int) -> None:
    rules = [
        rule(r"condition: ['\bfoo\b', 'a.c']", "one"),
        rule("condition: '(?i)BAR'", "two"),
        rule("condition: 'x(?=y)'", "three"),
        rule("condition: 'end$'", "four"),
        rule("condition: '😀'", "five"),
    ]
    text = "food afoo a-c foobar 😀 xz xy the end"
    trials = {trial.rule.name: trial for trial in tried(*rules, text=text, chunk=chunk).rules}
    context = stream_context_of_kind(TextKind.TEXT, None, None, "/p")
    for matching in (Matching.STABLE, Matching.REFERENCE):
        expected = run_trial(rules, text, context, Streaming(matching=matching, chunk=chunk))
        for outcome in expected.outcomes:
            trial = trials[outcome.rule.name]
            delta_firing = trial.stable if matching is Matching.STABLE else trial.reference
            triggers = [] if delta_firing is None else [delta_firing.trigger]
            assert [(one.offset, one.start, one.end, one.condition) for one in triggers] == [
                (one.offset, one.start, one.end, one.condition) for one in outcome.triggers
            ], (outcome.rule.name, matching)


def test_matches_are_searched_in_the_shown_deltas_and_firings_in_the_whole_text() -> None:
    trial = tried(rule("condition: ab"), text="ab ab ab", chunk=2, shown=3)
    assert trial.shown == 6
    assert trial.deltas == 4
    assert [match.span for match in trial.rules[0].matches.found] == [Span(0, 2), Span(3, 5)]


def test_a_silent_rule_names_the_gate_that_stops_it() -> None:
    trial = tried(
        rule("condition: x\nscope: thinking", "a"),
        rule("condition: x\nscope: tool:edit\nglobs: '*.ts'", "b"),
        rule("condition: y", "c"),
        text="x",
        kind=TextKind.EDIT,
        path="/p/a.py",
    )
    report = trial_report(trial, "x")
    assert "“in scope” stops it. The rule does not fire: its scope does not admit this kind" in report
    assert "“for the file” stops it." in report
    assert "“matches” stops it." in report
    assert "`x` matches 1 time: 1:1" in report
    assert trial_summary(trial) == "None of 3 rules fires on this edit of a.py."


def test_the_gates_of_a_rule_by_itself_go_from_the_file_to_the_text() -> None:
    file = read_rule("---\ncondition: x\nscope: thinking\n---\nno\n", name="a", path="/p/a.md")
    registration = register(file, "test")
    assert registration.rule is not None
    trial = tried(registration.rule, text="x")
    steps = list(rule_gates(file, registration, trial.text.context, trial.rules[0], "/p"))
    verdicts = {step.gate: step.verdict for step in steps}
    assert verdicts[Gate.STREAM] is GateVerdict.STOPS
    assert verdicts[Gate.CONDITION] is GateVerdict.PASSES
    rule_file = read_rule("---\ncondition: '('\n---\nno\n", name="a", path="/p/a.md")
    (*_, last) = rule_gates(rule_file, register(rule_file, "test"), trial.text.context, None, "/p")
    assert (last.gate, last.verdict) == (Gate.TRIGGER, GateVerdict.STOPS)


@pytest.mark.parametrize(
    "keys",
    ["scope: edit(*.ts)", "globs: '*.ts'", "agents: reviewer", "astCondition: $A", "scope: text", "enabled: false"],
)
@pytest.mark.parametrize("kind", list(TextKind))
def test_no_gate_of_an_editor_names_an_option_of_a_command(keys: str, kind: TextKind) -> None:
    condition = "" if "astCondition" in keys else "condition: x\n"
    file = read_rule(f"---\n{condition}{keys}\n---\nno\n", name="a", path="/p/a.md")
    registration = register(file, "test")
    assert registration.rule is not None
    trial = tried(registration.rule, text="x", kind=kind)
    for step in rule_gates(file, registration, trial.text.context, trial.rules[0], "/p"):
        assert "`--" not in f"{step.text} {step.fix}"


def test_a_shell_command_is_matched_as_json_and_its_spans_are_in_the_command() -> None:
    text = stream_text_of('echo "a" && rm -rf /', stream_context_of_kind(TextKind.BASH, None, None, "/p"))
    assert text.text == '{"command": "echo \\"a\\" && rm -rf /"}'
    (trial,) = run_text_trial(
        RulesByDialect.from_rules([rule("condition: 'rm -rf'\nscope: tool:bash")]), text, DeltaStream(), TrialMonitors()
    ).rules
    (match,) = trial.matches.found
    assert text.source_span(match.span.start, match.span.end) == Span(12, 18)
    assert trial.firing is not None
    whole = stream_text_of('{"command": "x"}', stream_context_of_kind(TextKind.BASH, None, None, "/p"))
    assert (whole.text, whole.origins) == ('{"command": "x"}', None)


def test_all_nodes_that_an_ast_condition_matches_are_found() -> None:
    found_rule = rule("astCondition: 'print($A)'\nscope: tool:edit(*.py)")
    context = stream_context_of_kind(TextKind.EDIT, None, "/p/a.py", "/p")
    text = stream_text_of("print(1)\nx = 2\nprint(3)\n", context)
    with AstProcess() as search:
        (trial,) = run_text_trial(
            RulesByDialect.from_rules([found_rule]), text, DeltaStream(), TrialMonitors(), search
        ).rules
    assert [match.span for match in trial.matches.found] == [Span(0, 8), Span(15, 23)]
    assert trial.stable is not None
    assert trial.stable.is_at_end


def test_a_slow_condition_is_reported_and_takes_bounded_time() -> None:
    distinct = "".join(map(chr, range(0x4E00, 0x4E50)))
    slow = r"condition: '(.+)(.+)(.+)(.+)X\4\3\2\1$'"
    trial = one(rule(slow), text=f"{distinct}X{distinct}!", chunk=200)
    assert trial.slow == (0,)
    assert trial.is_undecided


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/p/README.md", TextKind.TEXT), ("/p/a.ts", TextKind.EDIT), (None, TextKind.TEXT), ("/p/a.TXT", TextKind.TEXT)],
)
def test_text_of_a_prose_file_is_tried_as_a_reply(path: str | None, kind: TextKind) -> None:
    assert default_kind(path) is kind


def test_each_trial_has_the_whole_search_budget() -> None:
    asked_rule = rule(r"condition: '(a+)\1(?=b|$)x?$'")
    few_steps = replace(OFFLINE_IN_DELTAS, total=800, quick=0)
    monitors = TrialMonitors(in_deltas=few_steps)
    context = stream_context_of_kind(TextKind.TEXT, None, None, "/p")
    for number in range(40):
        text = stream_text_of(f"{number} xx aaaa", context)
        (trial,) = run_text_trial(RulesByDialect.from_rules([asked_rule]), text, DeltaStream(4), monitors).rules
        assert (trial.stable is not None, trial.reference is not None) == (True, True), number


@pytest.mark.parametrize("chunk", [1, 5])
def test_deltas_are_passed_over_only_where_required_texts_are_missing(chunk: int) -> None:
    rules = [rule(r"condition: '\b(?:foo|bar)\b'", "a"), rule(r"condition: '\bnever\b'", "b")]
    text = "the fo and the foot and the BAR and a bar."
    trials = {trial.rule.name: trial for trial in tried(*rules, text=text, chunk=chunk).rules}
    context = stream_context_of_kind(TextKind.TEXT, None, None, "/p")
    expected = run_trial(rules, text, context, Streaming(matching=Matching.REFERENCE, chunk=chunk))
    (trigger,) = expected.outcomes[0].triggers
    assert trials["a"].reference is not None
    assert trials["a"].reference.trigger.offset == trigger.offset
    assert trials["b"].reference is None


@pytest.mark.parametrize("scope", ["tool:edit(*.ts), tool:write(*.ts)", "tool(*.ts)"])
@pytest.mark.parametrize(
    ("glob", "text"),
    [
        ("*.py", "No file name was found that satisfies both `scope` and `globs`."),
        ("src/**", "The scope admits this `call of edit` only with a path, and it has none."),
    ],
)
def test_a_tool_in_the_scope_is_not_advised_again(scope: str, glob: str, text: str) -> None:
    only = rule(f"condition: x\nscope: {scope}\nglobs: ['{glob}']")
    trial = tried(only, text="x", kind=TextKind.EDIT)
    context = trial.text.context
    read = read_rule(f"---\ncondition: x\nscope: {scope}\nglobs: ['{glob}']\n---\nno\n", name="a", path="/p/a.md")
    gates = list(rule_gates(read, register(read, "test"), context, trial.rules[0], "/p"))
    stream = next(step for step in gates if step.gate is Gate.STREAM)
    assert stream.verdict is GateVerdict.STOPS
    assert stream.text.startswith(text)
    report = trial_report(trial, "x")
    assert text in report
    assert "Add" not in f"{stream.fix} {report.split('- Also')[0]}"
