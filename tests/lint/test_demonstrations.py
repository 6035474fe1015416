"""Each error on rules in the style of published ones is correct: recorded answers of the reference agent show it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.lint.case_files import findings_of, name_of, render
from tests.lint.demonstrations import PUBLISHED, WINDOWS, Other, Published, Recorded, asked, claims, events, published
from ttsr_ls.esregex.analysis.backtracking.backtracking import SlowPattern, judge_backtracking
from ttsr_ls.lint.catalogue import CATALOGUE
from ttsr_ls.lint.finding import Finding, Safety, Severity
from ttsr_ls.lint.fixes.fixed_file import fix_file
from ttsr_ls.lint.regex.conditions import conditions_with_spans
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.registration import Bucket, register
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import Delta, Snapshot, Source, StreamContext
from ttsr_ls.syntax.hookify.rule_file import read_hookify
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.reader import read_rule

VECTORS = json.loads(gzip.decompress((Path(__file__).parents[1] / "vectors" / "demonstrations.json.gz").read_bytes()))[
    "cases"
]
TEXT = StreamContext(Source.TEXT, None, (), None)
RULES = published()


def check(rule: Published, text: str) -> tuple[Finding, ...]:
    (findings,) = findings_of([(rule.path, text)])
    return findings


def fires(text: str, recorded: Recorded) -> bool:
    """What our engine does with the text of a rule, delta by delta as the reference does it."""
    registration = register(read_rule(text, name=recorded.name, path=f"{recorded.name}.md"), "native")
    monitor = Monitor(RuleSet.build([registration], Settings(), "main"), Settings(), Matching.REFERENCE)
    for event in events(recorded):
        context = event["context"]
        stream = StreamContext(
            Source(context["source"]), context.get("tool"), tuple(context.get("paths", ())), context.get("key")
        )
        kind = Delta if event["op"] == "delta" else Snapshot
        if monitor.feed(kind(stream, event["text"])):
            return True
    return False


def test_reference_agent_behaves_as_the_ast_finding_pages_state() -> None:
    for recorded, answer in zip(asked(), VECTORS, strict=True):
        assert {key: answer[key] for key in recorded.case} == recorded.case, "record anew: tests/recorders"
        assert any(answer["matches"]) is recorded.fires, recorded.about
        assert fires(recorded.text, recorded) is recorded.fires, recorded.about


def test_published_rules_are_numerous_and_varied() -> None:
    assert len(RULES) >= 60
    assert len({rule.path.rpartition("/")[0] for rule in RULES}) >= 12
    assert sum(WINDOWS in rule.about for rule in RULES) >= 3
    assert any(not rule.text.isascii() for rule in RULES)


def test_rules_with_errors_have_demonstrations() -> None:
    for rule in RULES:
        errors = [finding for finding in check(rule, rule.text) if finding.severity is Severity.ERROR]
        assert bool(errors) <= bool(rule.recorded or rule.others), rule.about
        for other in rule.others:
            assert is_shown(rule, other), (rule.about, other)


def is_shown(rule: Published, other: Other) -> bool:
    name = name_of(rule.path)
    match other.kind:
        case "slow":
            conditions = conditions_with_spans(read_rule(rule.text, name=name, path=rule.path))
            return any(
                isinstance(judge_backtracking(condition.condition.pattern), SlowPattern) for condition in conditions
            )
        case "dropped":
            file = read_rule(rule.text, name=name, path=rule.path)
            return register(file, "native").bucket is Bucket.DROPPED
        case "ignored":
            fields = read_rule(rule.text, name=name, path=rule.path).fields
            return other.rest == "interruptMode" and fields.interrupt_mode is None
        case "pi unloaded":
            return register_pi(read_pi_rule(rule.text, name=name, path=rule.path)).rule is None
        case "pi silent":
            loaded = register_pi(read_pi_rule(rule.text, name=name, path=rule.path)).rule
            if loaded is None:
                return False
            return not Monitor(RuleSet((loaded,)), None, Matching.REFERENCE).feed(Delta(TEXT, other.rest))
        case "hookify":
            hookify_file = read_hookify(rule.text, name=name, path=rule.path)
            return any("\\\\" in condition.pattern for condition in hookify_file.conditions) or (
                hookify_file.is_simple and hookify_file.event == "stop"
            )
        case _:
            raise AssertionError(f"no demonstration is of the kind {other.kind}")


def test_rules_without_errors_after_fixes_fire_where_they_were_silent() -> None:
    """A rule whose errors are all fixed fires where it was silent before."""
    fixed = 0
    for rule in RULES:
        for recorded in rule.recorded:
            after = fix_file(rule.text, lambda text, rule=rule: check(rule, text), frozenset(Safety))  # type: ignore[misc]
            if any(finding.severity is not Severity.INFO for finding in after.findings):
                continue
            assert fires(after.text, recorded) is not recorded.fires, (rule.about, after.text)
            fixed += 1
    assert fixed >= 8


@pytest.mark.parametrize("document", sorted(PUBLISHED.glob("*.md")), ids=lambda path: path.stem)
def test_findings_are_as_written(document: Path, request: pytest.FixtureRequest) -> None:
    text = document.read_text()
    if request.config.getoption("--update", default=False):
        document.write_text(render(text))
    assert document.read_text() == render(text)


def test_line_ends_do_not_matter() -> None:
    for rule in RULES:
        unix = rule.text.replace("\r\n", "\n")
        findings = [
            [(finding.code, finding.severity, len(finding.fixes)) for finding in check(rule, text)]
            for text in (unix, unix.replace("\n", "\r\n"))
        ]
        assert findings[0] == findings[1], rule.about


def test_codes_about_matching_have_recorded_answers() -> None:
    """The other codes are about discovery, settings, matching time, or style."""
    claimed = {claim.about.split(": ")[1].split(",")[0] for claim in claims()}
    codes = {entry.code for entry in CATALOGUE}
    assert claimed <= codes
    assert len(claimed) >= 45
