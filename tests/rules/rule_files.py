"""Rules for tests, read from the text of a rule file like real ones."""

import json

from ttsr_ls.rules.registration import Registration, register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.syntax.reader import read_rule

TEXT = StreamContext(Source.TEXT)
THINKING = StreamContext(Source.THINKING)


def registration_of(frontmatter: str, name: str = "r", provider: str = "native", body: str = "Body") -> Registration:
    """A rule file with these frontmatter lines."""
    return register(read_rule(f"---\n{frontmatter}\n---\n{body}\n", name=name, path=f"{name}.md"), provider)


def rule_of(*conditions: str, name: str = "r", frontmatter: str = "") -> Rule:
    """A rule with these conditions, and further frontmatter lines."""
    rule = registration_of(f"condition: {json.dumps(conditions)}\n{frontmatter}", name).rule
    assert rule is not None
    return rule


def rule_set_of(*registrations: Registration) -> RuleSet:
    return RuleSet.build(registrations, Settings())


def tool_call(tool: str = "edit", *paths: str, key: str | None = "toolcall:1") -> StreamContext:
    return StreamContext(Source.TOOL, tool, paths, key)
