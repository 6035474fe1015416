"""Which of many rules fire at one delta: those admitted by scope, globs, condition, and repeat policy (spec M, B)."""

from __future__ import annotations

import pytest

from tests.rules.rule_files import TEXT, rule_of, tool_call
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Delta, StreamContext

RULES = (
    rule_of("unwrap", name="anywhere"),
    rule_of("unwrap", name="in-rust", frontmatter='globs: "*.rs"'),
    rule_of("unwrap", name="in-python", frontmatter='globs: "*.py"'),
    rule_of("unwrap", name="edits", frontmatter="scope: tool:edit(*.rs)"),
    rule_of("unwrap", name="writes", frontmatter="scope: tool:write"),
    rule_of("unwrap", name="prose", frontmatter="scope: text"),
    rule_of("expect", name="other-words"),
    rule_of("never", "unwrap", name="second-condition"),
    rule_of("unwrap", name="injected-before"),
)


@pytest.mark.parametrize("matching", Matching)
@pytest.mark.parametrize(
    ("context", "fired"),
    [
        (tool_call("edit", "src/a.rs"), {"anywhere", "in-rust", "edits", "second-condition"}),
        (tool_call("write", "src/a.py"), {"anywhere", "in-python", "writes", "second-condition"}),
        (TEXT, {"anywhere", "prose", "second-condition"}),
    ],
)
def test_all_rules_fire_that_pass_scope_globs_condition_and_repeat_policy(
    context: StreamContext, fired: set[str], matching: Matching
) -> None:
    monitor = Monitor(RuleSet(RULES), None, matching)
    monitor.mark_injected(["injected-before"])
    found = [trigger.rule.name for trigger in monitor.feed(Delta(context, "x.unwrap() "))]
    assert set(found) == fired
    assert len(found) == len(fired)
