"""pi-ttsr rules in the monitor trigger as in the seed's pseudo-code, independently of delta boundaries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.matching.monitor.pi_specification import Extension, RegExp, TtsrRule
from tests.property_examples import examples
from tests.rules.rule_files import TEXT
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import BlockEnd, Delta, StreamEvent, Trigger
from ttsr_ls.session.lifecycle.templates import pi_interrupt
from ttsr_ls.syntax.pi.keys import PiScope
from ttsr_ls.syntax.pi.rule_file import read_pi_rule

TRIGGERS = [
    "ab", "^ab", "b$", "^b$", r"\bab\b", "a(?!b)", r"a\s+b", r"a\nb", "[^a]b", r"[\s\S]b", "a.b", r"(?<=\s)b", "^",
    "$", "^$", "a|$", r"(?<![^\n])b", r"(?m:^)b", r"b(?=\s)", r"(a)\1", "A", r"\W", r"[^-a-]", "a[]", r"\rb", ".*?b",
]  # fmt: skip
FLAGS = ["", "", "", "i", "m", "s", "g", "y", "gi", "gy", "ms", "d"]
NUMBERS = [0.0, 1.0, 1.0, 1.5, 2.0, 3.0, -1.0, math.inf, math.nan]
UNITS = st.text(st.sampled_from("aaabbb \n\r\u2028"), max_size=12)
START = 1_700_000_000.0


@dataclass(frozen=True)
class Drawn:
    name: str
    trigger: str
    flags: str
    scope: str
    max_firings: float
    cooldown: float

    def rule(self, path: str) -> Rule:
        text = (
            f"---\ntrigger: {yaml(self.trigger)}\nflags: {yaml(self.flags)}\nscope: {self.scope}\n"
            f"maxFirings: {number(self.max_firings)}\ncooldown: {number(self.cooldown)}\n---\nBody of {self.name}."
        )
        rule = register_pi(read_pi_rule(text, name=self.name, path=path)).rule
        assert rule is not None
        return rule

    def specified(self) -> TtsrRule:
        trigger = RegExp(self.trigger, self.flags)
        content = f"Body of {self.name}."
        return TtsrRule(self.name, trigger, self.scope, content, self.max_firings, self.cooldown)


def yaml(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def number(value: float) -> str:
    return ".nan" if math.isnan(value) else ".inf" if math.isinf(value) else str(value)


DRAWN = st.lists(
    st.builds(
        Drawn,
        # Two files of one name are two rules that share a state.
        name=st.sampled_from(["p", "q", "r"]),
        trigger=st.sampled_from(TRIGGERS),
        flags=st.sampled_from(FLAGS),
        scope=st.sampled_from(list(PiScope)).map(str),
        max_firings=st.sampled_from(NUMBERS),
        cooldown=st.sampled_from([0.0, 0.0, 0.5, 2.0, -1.0, math.nan]),
    ),
    min_size=1,
    max_size=4,
)


def monitor_of(drawn: list[Drawn], matching: Matching) -> Monitor:
    rules = tuple(each.rule(f"{index}.md") for index, each in enumerate(drawn))
    return Monitor(RuleSet(rules), None, matching)


@examples(150)
@given(DRAWN, st.lists(st.tuples(st.lists(UNITS, max_size=5), st.floats(0, 3)), max_size=4))
def test_reference_matching_of_pi_rules_equals_the_specification(
    drawn: list[Drawn], responses: list[tuple[list[str], float]]
) -> None:
    specification = Extension([each.specified() for each in drawn])
    rules = {rule.name: rule for rule in (each.rule("r.md") for each in drawn)}
    monitor = monitor_of(drawn, Matching.REFERENCE)
    now = START
    for chunks, pause in responses:
        specification.response_starts()
        monitor.reset()
        for chunk in chunks:
            now += pause
            expected = specification.text_delta(chunk, now * 1000)
            triggers = monitor.feed(Delta(TEXT, chunk), now)
            assert len(triggers) <= 1
            found = [pi_interrupt(rules[trigger.rule.name]) for trigger in triggers]
            assert [{"abort": True, "retry": {"content": content}} for content in found] == (
                [] if expected is None else [expected]
            )
    assert not monitor.disabled_conditions


def feed_all(monitor: Monitor, deltas: list[str]) -> list[Trigger]:
    events: list[StreamEvent] = [*(Delta(TEXT, delta) for delta in deltas), BlockEnd(TEXT)]
    return [trigger for event in events for trigger in monitor.feed(event, START)]


@st.composite
def cuts(draw: st.DrawFn, text: str) -> list[str]:
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=4)))
    return [text[start:end] for start, end in pairwise([0, *places, len(text)])]


@settings(deadline=None)
@given(st.data(), DRAWN, UNITS)
def test_stable_matching_of_pi_rules_is_independent_of_delta_boundaries(
    data: st.DataObject, drawn: list[Drawn], text: str
) -> None:
    def triggers(deltas: list[str]) -> list[tuple[str, int, int, int]]:
        found_triggers = feed_all(monitor_of(drawn, Matching.STABLE), deltas)
        return [(trigger.rule.path, trigger.start, trigger.end, trigger.offset) for trigger in found_triggers]

    whole = triggers([text])
    assert len(whole) <= 1
    assert triggers(data.draw(cuts(text))) == whole
    assert triggers(list(text)) == whole


@settings(deadline=None)
@given(DRAWN, UNITS)
def test_stable_matching_fires_if_and_only_if_a_pi_rule_matches_the_whole_text(drawn: list[Drawn], text: str) -> None:
    """A text that comes as one delta triggers exactly the rules that match the whole text."""
    able = [each for each in drawn if each.max_firings > 0 or math.isnan(each.max_firings)]
    matching = {
        each.name
        for each in able
        if any(
            RegExp(each.trigger, each.flags).test(part)
            for part in (text.split("\n") if each.scope == "line" else [text])
        )
    }
    fired = {trigger.rule.name for trigger in feed_all(monitor_of(drawn, Matching.STABLE), [text])}
    assert fired <= matching
    assert bool(fired) == bool(matching)
