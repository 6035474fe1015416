"""`reference` matching against the reference agent's recorded answers (tests/recorders/record_monitor.ts)."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.matching.repeat.repeat_policy import Elapsed
from ttsr_ls.rules.registration import Bucket, register
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, RepeatMode, Settings
from ttsr_ls.rules.stream import Delta, Snapshot, Source, StreamContext
from ttsr_ls.syntax.reader import read_rule

VECTORS = json.loads(gzip.decompress((Path(__file__).parents[2] / "vectors" / "monitor.json.gz").read_bytes()))
GENERATED = [case for case in VECTORS["cases"] if case["about"].startswith("generated")]
HANDWRITTEN = [case for case in VECTORS["cases"] if case not in GENERATED]


def settings_of(recorded: dict[str, Any]) -> Settings:
    return Settings(
        enabled=recorded.get("enabled", True),
        repeat_mode=RepeatMode(recorded.get("repeatMode", "once")),
        repeat_gap=recorded.get("repeatGap", 10),
        builtin_rules=recorded.get("builtinRules", True),
        disabled_rules=tuple(recorded.get("disabledRules", ())),
    )


def context_of(recorded: dict[str, Any]) -> StreamContext:
    source, paths = Source(recorded["source"]), tuple(recorded.get("paths", ()))
    return StreamContext(source, recorded.get("tool"), paths, recorded.get("key"))


def rule_set_of(case: dict[str, Any]) -> RuleSet:
    files = [
        (read_rule(rule["text"], name=rule["name"], path=f"{rule['name']}.md"), rule["provider"])
        for rule in case["rules"]
    ]
    registrations = [register(file, provider) for file, provider in files]
    return RuleSet.build(registrations, settings_of(case["settings"]), case["agent"])


def buckets_of(case: dict[str, Any]) -> list[str]:
    rule_set = rule_set_of(case)
    elsewhere = {refusal.name: refusal.bucket for refusal in rule_set.refusals}
    active = {rule.name for rule in rule_set.rules}
    return [Bucket.TTSR if rule["name"] in active else elsewhere[rule["name"]] for rule in case["rules"]]


def matches_of(case: dict[str, Any]) -> list[list[str] | None]:
    monitor = Monitor(rule_set_of(case), settings_of(case["settings"]), Matching.REFERENCE)
    answers: list[list[str] | None] = []
    ended = 0
    for event in case["events"]:
        triggers = None
        match event["op"]:
            case "delta":
                triggers = monitor.feed(Delta(context_of(event["context"]), event["text"]))
            case "snapshot":
                triggers = monitor.feed(Snapshot(context_of(event["context"]), event["text"]))
            case "mark":
                monitor.mark_injected(event["names"])
            case "restore":
                # The reference restores exact names without their age, as if injected before the first answer.
                exact = [name for name in event["names"] if name == name.strip()]
                monitor.mark_injected(exact, Elapsed(answers=ended))
            case "reset":
                monitor.reset()
            case "turn":
                monitor.end_answer()
                ended += 1
        answers.append(None if triggers is None else [trigger.rule.name for trigger in triggers])
    return answers


@pytest.mark.parametrize("case", HANDWRITTEN, ids=lambda case: case["about"])
def test_handwritten_cases_match_as_in_the_reference(case: dict[str, Any]) -> None:
    assert buckets_of(case) == case["buckets"]
    assert matches_of(case) == case["matches"]


def test_generated_cases_match_as_in_the_reference() -> None:
    answers = [names for case in GENERATED for names in case["matches"] if names is not None]
    assert len(answers) > 5000
    assert sum(bool(names) for names in answers) > 1000
    different = [
        case["about"]
        for case in GENERATED
        if (buckets_of(case), matches_of(case)) != (case["buckets"], case["matches"])
    ]
    assert not different
