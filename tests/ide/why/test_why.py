"""The walk of a rule through the gates: which one stops it, and that no other does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.property_examples import examples
from ttsr_ls.ide import condition_findings
from ttsr_ls.ide.trial.rule_trial import run_trial
from ttsr_ls.ide.why.gates import Gate, GateVerdict, GateWalk
from ttsr_ls.ide.why.standing_gates import OmpSubject
from ttsr_ls.ide.why.stream_gates import StreamQuery
from ttsr_ls.ide.why.why import conclusion_text, walk_gates
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.rules.providers import Level
from ttsr_ls.rules.registration import Registration, register
from ttsr_ls.rules.rule_set import MAIN_AGENT, RuleSet
from ttsr_ls.rules.settings.layers import SettingsLayer, SettingsLayers
from ttsr_ls.rules.stream import Source
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.settings_file import read_settings
from ttsr_ls.syntax.settings_locations import SettingsFormat

FOLDER = "/w/p"
PATH = "/w/p/.omp/rules/r.md"
ASKED = StreamQuery(MAIN_AGENT, FOLDER)


def registered(frontmatter: str, body: str = "Say so.", path: str = PATH) -> Registration:
    return register(read_rule(f"---\n{frontmatter}\n---\n{body}\n", name="r", path=path), "native")


def walked(
    frontmatter: str = "condition: foo",
    *,
    body: str = "Say so.",
    config: str = "",
    first: str = "",
    asked: StreamQuery = ASKED,
) -> GateWalk:
    """The walk of a rule, with settings of the project, and after a rule of the same name with frontmatter `first`."""
    file = read_rule(f"---\n{frontmatter}\n---\n{body}\n", name="r", path=PATH)
    layer = SettingsLayer(read_settings(config, f"{FOLDER}/.omp/config.yml", SettingsFormat.YAML), Level.PROJECT)
    layers = SettingsLayers((layer,))
    registration = register(file, "native")
    registrations = [registered(first, path="/w/first.md")] if first else []
    rule_set = RuleSet.build([*registrations, registration], layers.settings(), asked.agent)
    refusal = next((refusal for refusal in rule_set.refusals if refusal.path == PATH), None)
    return walk_gates(OmpSubject(file, registration, "in a test", refusal, layers, FOLDER), asked, layers.settings())


TOOL = replace(ASKED, tool="edit", path="src/a.ts")

BASH = replace(ASKED, tool="bash", text="foo")

STOPPED = [
    (Gate.ENABLED, walked("condition: foo\nenabled: false")),
    (Gate.EXTENSION, walked(config="disabledExtensions: ['rule:r']")),
    (Gate.NAME, walked(first="condition: bar")),
    (Gate.BODY, walked(body="")),
    (Gate.SETTING, walked(config="ttsr:\n  disabledRules: [r]")),
    (Gate.AGENT, walked("condition: foo\nagents: sub")),
    (Gate.TRIGGER, walked("condition: '('")),
    (Gate.TRIGGER, walked("condition: foo\nscope: 'tool:*'")),
    (Gate.TRIGGER, walked("description: d")),
    (Gate.ON, walked(config="ttsr:\n  enabled: false")),
    (Gate.STREAM, walked("condition: foo\nscope: thinking", asked=replace(ASKED, source=Source.TEXT))),
    (Gate.STREAM, walked("condition: foo\nscope: tool:bash", asked=TOOL)),
    (Gate.STREAM, walked("condition: foo\nscope: tool:edit(*.py)", asked=TOOL)),
    (Gate.FILES, walked("condition: foo\nscope: text\nglobs: '*.ts'")),
    (Gate.FILES, walked("condition: foo\nglobs: '*.py'", asked=TOOL)),
    (Gate.FILES, walked("condition: foo\nglobs: '*.py'", asked=replace(ASKED, tool="edit"))),
    (Gate.REPEAT, walked(asked=replace(ASKED, fired_turns_ago=100))),
    (
        Gate.REPEAT,
        walked(config="ttsr:\n  repeatMode: after-gap\n  repeatGap: 3", asked=replace(ASKED, fired_turns_ago=2)),
    ),
    (Gate.CONDITION, walked(asked=replace(ASKED, text="bar"))),
    (Gate.CONDITION, walked("condition: foo\nscope: thinking", asked=replace(ASKED, text="bar"))),
    (Gate.CONDITION, walked("condition: 'a^b'")),
    (Gate.CONDITION, walked("condition: ['a^b', '$x']", asked=replace(ASKED, text="x"))),
    (Gate.STREAM, walked("condition: foo\nscope: tool:bash(*.sh)", asked=BASH)),
    (Gate.FILES, walked("condition: foo\nscope: tool:bash\nglobs: '*.sh'", asked=BASH)),
    (Gate.FILES, walked("condition: foo\nscope: tool:bash\nglobs: '*.sh'", asked=replace(BASH, path="a.sh"))),
    (Gate.JUDGE, walked("question: Rude?", config="ttsr:\n  judge: off")),
    (Gate.JUDGE, walked("condition: foo\nquestion: Rude?", config="ttsr:\n  judge: 'off'")),
]


_OF_OMP = [gate for gate in Gate if gate is not Gate.FIRST]


@pytest.mark.parametrize(("gate", "walk_"), STOPPED, ids=lambda value: str(value) if isinstance(value, Gate) else "")
def test_gate_that_stops_the_rule_is_the_last(gate: Gate, walk_: GateWalk) -> None:
    assert walk_.stopped is walk_.steps[-1]
    assert walk_.steps[-1].gate is gate
    assert walk_.steps[-1].fix
    assert [step.gate for step in walk_.steps] == _OF_OMP[: len(walk_.steps)]
    assert all(step.fix is None for step in walk_.steps[:-1])
    assert conclusion_text(walk_) == f"It does not fire: the gate “{gate}” stops it."


def test_every_gate_can_stop() -> None:
    assert {gate for gate, _ in STOPPED} == set(Gate) - {Gate.FOUND, Gate.FIRST}


def test_rule_that_fires_goes_through_all_gates() -> None:
    query = replace(TOOL, text="a foo")
    result = walked("condition: foo\nscope: tool:edit(*.ts)\nglobs: 'src/**'", asked=query)
    assert [step.gate for step in result.steps] == [gate for gate in _OF_OMP if gate is not Gate.JUDGE]
    assert {step.verdict for step in result.steps} == {GateVerdict.PASSES}
    text = "`foo` matches `a foo` once 5 characters have arrived; the rule interrupts the answer."
    assert result.steps[-1].text == text
    assert conclusion_text(result) == "It fires."


def test_gates_without_given_facts_are_open() -> None:
    result = walked("condition: foo\nglobs: '*.ts'")
    assert [step.gate for step in result.open] == [Gate.STREAM, Gate.FILES, Gate.CONDITION]
    assert result.stopped is None
    assert conclusion_text(result) == "Nothing stops it so far; the open gates depend on facts that were not given."


def test_a_text_without_a_stream_is_tried_on_a_stream_in_scope() -> None:
    result = walked("condition: foo\nscope: tool:write(*.md)", asked=replace(ASKED, text="foo"))
    assert result.steps[-1].verdict is GateVerdict.PASSES


@pytest.mark.parametrize(
    ("config", "fired", "verdict"),
    [
        ("", 0, GateVerdict.STOPS),
        ("ttsr:\n  repeatMode: after-gap", 10, GateVerdict.PASSES),
        ("ttsr:\n  repeatMode: after-gap", 9, GateVerdict.STOPS),
        ("ttsr:\n  repeatMode: after-gap\n  repeatGap: 2.5", 3, GateVerdict.PASSES),
        ("ttsr:\n  repeatMode: after-gap\n  repeatGap: soon", 10**9, GateVerdict.STOPS),
    ],
)
def test_repeat_policy_is_that_of_the_settings(config: str, fired: int, verdict: GateVerdict) -> None:
    result = walked(config=config, asked=replace(ASKED, fired_turns_ago=fired))
    assert next(step.verdict for step in result.steps if step.gate is Gate.REPEAT) is verdict


def test_pattern_that_never_matches_is_explained_as_by_check() -> None:
    file = read_rule("---\ncondition: 'a^b'\n---\nSay so.\n", name="r", path=PATH)
    (message,) = (finding.message for finding in check_file(file, LintContext()) if finding.code == "never-matches")
    assert walked("condition: 'a^b'").steps[-1].text == message


@pytest.mark.parametrize(
    ("condition", "text", "part"),
    [
        ("'\\Afoo'", "a foo", "`\\A` is the start of the text in other languages"),
        ("'\\\\bfoo\\\\b'", "a foo b", "Each backslash is doubled here"),
        ("'[🚀-x'", "a", None),
        ("['foo', 'a^b']", "bar", "No text matches this condition"),
    ],
)
def test_findings_of_check_explain_a_condition_that_does_not_match(condition: str, text: str, part: str | None) -> None:
    step = walked(f"condition: {condition}", asked=replace(ASKED, text=text)).stopped
    assert step is not None
    assert (part in step.text) if part is not None else step.gate is Gate.TRIGGER


def test_condition_of_which_one_can_match_is_open() -> None:
    assert walked("condition: ['a^b', x]").steps[-1].verdict is GateVerdict.OPEN


def test_a_slow_condition_is_undecided_and_not_called_a_mismatch() -> None:
    distinct = "".join(map(chr, range(0x4E00, 0x4E50)))
    slow = r"condition: '(.+)(.+)(.+)(.+)X\4\3\2\1$'"
    result = walked(slow, asked=replace(ASKED, text=f"{distinct}X{distinct}!"))
    assert result.steps[-1].verdict is GateVerdict.OPEN
    assert result.steps[-1].text.startswith("Not decided in time: whether `(.+)(.+)")
    assert conclusion_text(result) == "Whether it fires is not known: that was not decided in time."


def test_interruption_is_that_of_the_settings() -> None:
    query = replace(ASKED, text="foo")
    assert "interrupts the answer" in walked(asked=query).steps[-1].text
    assert "does not interrupt" in walked(config="ttsr:\n  interruptMode: never", asked=query).steps[-1].text


def test_setting_is_named_with_its_file_and_line() -> None:
    (stop,) = walked(config="a: 1\nttsr:\n  disabledRules:\n    - r\n").steps[-1:]
    assert stop.text == "The setting `ttsr.disabledRules` has `r`, in `.omp/config.yml`, line 4."


def test_lost_conditions_are_counted() -> None:
    text = next(step.text for step in walked("condition: [a, '(', '[']").steps if step.gate is Gate.TRIGGER)
    assert text == "It has 1 condition; 2 more do not compile and are left out."


def test_the_bucket_of_a_rule_without_a_trigger_is_explained() -> None:
    assert "Only its description is listed" in walked("condition: '('\ndescription: d").steps[-1].text
    assert "a part of every prompt" in walked("alwaysApply: true").steps[-1].text


def test_question_alone_is_open() -> None:
    assert walked("question: rude?", asked=replace(ASKED, text="x")).steps[-1].verdict is GateVerdict.OPEN


def test_hostile_names_do_not_break_the_markdown() -> None:
    file = read_rule("---\ncondition: '`*`'\nscope: '`x`'\n---\nb\n", name="`a`\n# b", path="/w/`a`\n# b.md")
    registration = register(file, "native")
    layers = SettingsLayers(())
    subject = OmpSubject(file, registration, "in a test", None, layers, FOLDER)
    for step in walk_gates(subject, replace(ASKED, text="`*`"), layers.settings()).steps:
        assert "\n" not in step.text


CONDITIONS = [
    "condition: foo",
    "condition: [bar, 'o$']",
    "condition: '('",
    "description: d",
    "condition: foo\nagents: sub",
]
SCOPES = ["", "scope: text", "scope: thinking", "scope: tool:edit(*.ts)", "scope: [tool:bash, text]", "scope: '*'"]
GLOBS = ["", "globs: '*.ts'", "globs: 'lib/**'"]
STREAMS = [(Source.TEXT, None, None), (Source.THINKING, None, None), (Source.TOOL, "edit", "src/a.ts")]
STREAMS += [(Source.TOOL, "edit", "lib/b.py"), (Source.TOOL, "bash", None)]
CONFIGS = ["", "ttsr:\n  disabledRules: [r]", "ttsr:\n  enabled: false", "disabledExtensions: ['rule:r']"]


@given(
    st.sampled_from(CONDITIONS),
    st.sampled_from(SCOPES),
    st.sampled_from(GLOBS),
    st.sampled_from(STREAMS),
    st.sampled_from(CONFIGS),
    st.sampled_from(["a foo", "bar", "fo", ""]),
)
@examples(300)
def test_nothing_stops_a_rule_exactly_where_it_fires(
    condition: str, scope: str, globs: str, stream: tuple[Source, str | None, str | None], config: str, text: str
) -> None:
    frontmatter = "\n".join(line for line in (condition, scope, globs) if line)
    source, tool, path = stream
    query = replace(ASKED, source=source, tool=tool, path=path, text=text)
    result = walked(frontmatter, config=config, asked=query)
    layer = SettingsLayer(read_settings(config, f"{FOLDER}/.omp/config.yml", SettingsFormat.YAML), Level.PROJECT)
    watching = RuleSet.build([registered(frontmatter)], SettingsLayers((layer,)).settings())
    assert query.context is not None
    assert (result.stopped is None) == bool(run_trial(watching.rules, text, query.context).fired)
    assert not result.open


def test_a_rule_that_fires_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    monkeypatch.setattr(condition_findings, "check_file", lambda file, context: checked.append(file.path) or ())
    fires = walked("condition: foo", asked=replace(ASKED, source=Source.TEXT, text="a foo"))
    assert fires.steps[-1].verdict is GateVerdict.PASSES
    assert not checked
    walked("condition: foo", asked=replace(ASKED, source=Source.TEXT, text="a bar"))
    assert checked == [PATH]
