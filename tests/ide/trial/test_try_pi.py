"""Rules of pi-ttsr are tried as the seed's pseudo-code runs them, answer after answer."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.matching.monitor.pi_specification import Extension, RegExp, TtsrRule
from tests.property_examples import examples
from ttsr_ls.ide.trial.obstacles import Obstacle
from ttsr_ls.ide.trial.rule_trial import WHOLE_TEXT, Streaming, run_trial, stream_context
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source
from ttsr_ls.syntax.pi.rule_file import read_pi_rule

TEXT = stream_context(Source.TEXT, None, ())
# When the first answer comes: a rule that never fired must not wait for its cooldown (docs/dialects.md).
START = 1_700_000_000_000.0


def rule(frontmatter: str, name: str = "r") -> Rule:
    file = read_pi_rule(f"---\n{frontmatter}\n---\nBody", name=name, path=f"{name}.md")
    found_rule = register_pi(file).rule
    assert found_rule is not None
    return found_rule


@pytest.mark.parametrize(
    ("frontmatter", "text", "streaming", "obstacles"),
    [
        ("trigger: a", "a", WHOLE_TEXT, ()),
        ("trigger: a", "b", WHOLE_TEXT, (Obstacle.CONDITION,)),
        ("trigger: a\nmaxFirings: 0", "a", WHOLE_TEXT, (Obstacle.NO_FIRINGS,)),
        ("trigger: a\nmaxFirings: -1", "b", WHOLE_TEXT, (Obstacle.NO_FIRINGS, Obstacle.CONDITION)),
        ("trigger: ab\nscope: chunk", "ab", Streaming(matching=Matching.REFERENCE, chunk=1), (Obstacle.CHUNK,)),
        ("trigger: b\nflags: y\nscope: accumulated", "ab", WHOLE_TEXT, (Obstacle.CONDITION,)),
    ],
)
def test_obstacles_of_a_silent_rule(
    frontmatter: str, text: str, streaming: Streaming, obstacles: tuple[Obstacle, ...]
) -> None:
    (outcome,) = run_trial([rule(frontmatter)], text, TEXT, streaming).outcomes
    assert outcome.obstacles == obstacles
    assert bool(outcome.firings) == (not obstacles)


def test_a_rule_that_fires_on_a_later_answer_has_no_obstacle() -> None:
    rules = [rule("trigger: a", "first"), rule("trigger: a", "second"), rule("trigger: a", "third")]
    trial = run_trial(rules, "a", TEXT, Streaming(matching=Matching.REFERENCE, answers=2))
    assert [[trigger.answer for trigger in outcome.firings] for outcome in trial.outcomes] == [[0], [1], []]
    assert [outcome.obstacles for outcome in trial.outcomes] == [(), (), (Obstacle.INTERRUPTED,)]


def test_pi_rules_match_only_the_agents_text() -> None:
    for source in (Source.THINKING, Source.TOOL):
        (outcome,) = run_trial(
            [rule("trigger: a")], "a", stream_context(source, "edit", ("a.ts",)), WHOLE_TEXT
        ).outcomes
        assert outcome.obstacles == (Obstacle.ONLY_TEXT,)


DRAWN = st.lists(
    st.tuples(
        st.sampled_from(["ab", "^ab", "b$", r"a\s+b", r"\bab\b", "a(?!b)", "[^a]b", "^$", "A"]),
        st.sampled_from(["", "", "i", "m", "g"]),
        st.sampled_from(["line", "chunk", "accumulated"]),
        st.sampled_from([0.0, 1.0, 1.0, 2.0, math.inf]),
        st.sampled_from([0.0, 0.0, 3.0, 7.0]),
    ),
    min_size=1,
    max_size=4,
)


@given(DRAWN, st.text("aabb \n", min_size=1, max_size=12), st.integers(1, 5), st.integers(1, 4))
@examples(200)
def test_firings_are_those_of_the_seed(
    drawn: list[tuple[str, str, str, float, float]], text: str, chunk: int, answers: int
) -> None:
    rules, specified = [], []
    for number, (trigger, flags, scope, most, pause) in enumerate(drawn):
        shown = ".inf" if math.isinf(most) else most
        frontmatter = f"trigger: '{trigger}'\nflags: '{flags}'\nscope: {scope}\nmaxFirings: {shown}\ncooldown: {pause}"
        rules.append(rule(frontmatter, f"r{number}"))
        specified.append(TtsrRule(f"r{number}", RegExp(trigger, flags), scope, "Body", most, pause))
    extension, expected = Extension(specified), []
    for answer in range(answers):
        extension.response_starts()
        before = {name: state.firings for name, state in extension.state.items()}
        for start in range(0, len(text), chunk):
            if extension.text_delta(text[start : start + chunk], START + answer * 2000) is not None:
                break  # The host aborts: nothing more of this answer comes.
        expected += [(answer, name) for name, state in extension.state.items() if state.firings > before.get(name, 0)]
    trial = run_trial(
        rules, text, TEXT, Streaming(matching=Matching.REFERENCE, chunk=chunk, answers=answers, pause=2.0)
    )
    fired = [(trigger.answer, outcome.rule.name) for outcome in trial.outcomes for trigger in outcome.firings]
    assert sorted(fired) == sorted(expected)
    assert not any(outcome.firings and outcome.obstacles for outcome in trial.outcomes)
