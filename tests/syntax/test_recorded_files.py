"""Rule files are read as the reference agent reads them (recorded answers)."""

from __future__ import annotations

from typing import Any

from tests.syntax.reader_vectors import RecordedFile, recorded_files
from ttsr_ls.rules.registration import Bucket, register
from ttsr_ls.syntax.reader import decode, read_rule
from ttsr_ls.syntax.rule_file import RuleFile

LISTED = ("condition", "astCondition", "scope", "globs", "agents", "description")


def read(data: bytes) -> RuleFile:
    text, _ = decode(data)
    return read_rule(text, name="rule", path="rule.md")


def as_agent(file: RuleFile) -> dict[str, Any]:
    """The rule in the form of the agent's reader, which omits empty fields."""
    fields = file.fields
    if not fields.enabled:
        return {"text": file.text, "disabled": True}
    rule = {
        "text": file.text,
        "content": file.body.value,
        "alwaysApply": fields.always_apply,
        "condition": [text.value for text in fields.conditions],
        "astCondition": [text.value for text in fields.ast_conditions],
        "scope": [token.text.value for token in fields.scope],
        "globs": [text.value for text in fields.globs],
        "agents": [text.value for text in fields.agents],
        "description": fields.description,
        "interruptMode": fields.interrupt_mode,
    }
    return {name: value for name, value in rule.items() if value not in ([], None)}


def is_judged_only(file: RuleFile) -> bool:
    """The recorded agent (18.2.3) does not register rules with only a question, which 18.3 introduced."""
    rule = register(file, "native").rule
    return rule is not None and not rule.conditions and not rule.ast_conditions


def test_recorded_files_are_read_as_by_the_agent() -> None:
    files = list(recorded_files())
    assert len(files) > 1500
    wrong = []
    for recorded in files:
        wanted = {name: value for name, value in recorded.read.items() if value != []}
        if as_agent(read(recorded.data)) != wanted:
            wrong.append((recorded.data, as_agent(read(recorded.data)), wanted))
    assert not wrong


def test_the_same_recorded_rules_register_as_in_the_agent() -> None:
    compared = [(recorded, read(recorded.data)) for recorded in recorded_files()]
    compared = [(recorded, file) for recorded, file in compared if not is_judged_only(file)]
    assert sum(recorded.listed is not None for recorded, _ in compared) > 500
    wrong = [recorded.data for recorded, file in compared if is_listed(file) != (recorded.listed is not None)]
    assert not wrong


def test_registered_rules_have_the_same_fields_as_in_the_agent() -> None:
    listed = [recorded for recorded in recorded_files() if recorded.listed is not None]
    assert len(listed) > 500
    assert not [recorded.data for recorded in listed if as_listed(recorded) != recorded.listed]


def is_listed(file: RuleFile) -> bool:
    return register(file, "native").bucket is Bucket.TTSR


def as_listed(recorded: RecordedFile) -> dict[str, Any]:
    rule = as_agent(read(recorded.data))
    return {name: rule.get(name, None if name == "description" else []) for name in LISTED}
