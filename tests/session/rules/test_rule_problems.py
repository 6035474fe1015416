"""Rules that are not active, or only in part, are reported with the reason, unless the user disabled them."""

from __future__ import annotations

import pytest

from ttsr_ls.rules.dialects.legacy_registration import register_legacy
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.registration import Registration, register
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn_events import RuleProblem
from ttsr_ls.session.rules.rule_problems import UnreadableRule, problem_line, refused_rules
from ttsr_ls.session.rules.rules_by_dialect import compose
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.reader import read_rule


def rule(frontmatter: str, *, body: str = "Body.", name: str = "r", path: str = "/r.md") -> Registration:
    return register(read_rule(f"---\n{frontmatter}\n---\n{body}\n", name=name, path=path), "native")


def problems(*registered: Registration, settings: Settings | None = None, agent: str = "main") -> list[RuleProblem]:
    return list(compose(registered, Settings() if settings is None else settings, agent).problems)


@pytest.mark.parametrize(
    ("frontmatter", "in_force", "reason"),
    [
        (
            "condition: ['fine', 'br(oken']",
            True,
            "It is in force without `br(oken`. This is not a valid regular expression: This group has no end",
        ),
        ("condition: 'br(oken'", False, "`br(oken`: This is not a valid regular expression: This group has no end"),
        ("condition: fine\nscope: 'nosuch:'", False, "`nosuch:`: This part of the scope means no stream."),
        (
            "condition: fine\nscope: 'text, nosuch:'",
            True,
            "It is in force without `nosuch:`. This part of the scope means no stream.",
        ),
        (
            'condition: "bad\\d"',
            True,
            "The frontmatter is not valid YAML: ",
        ),
        (
            'interruptMode: "\\d"',
            False,
            "It has no condition, AST condition, or question. The frontmatter is not valid YAML: ",
        ),
        ("interruptMode: always", False, "It has no condition, AST condition, or question."),
    ],
)
def test_ignored_parts_of_a_rule_are_reported_with_the_reason(frontmatter: str, in_force: bool, reason: str) -> None:
    """Seed 000, sections 1 and 9."""
    (problem,) = problems(rule(frontmatter))
    assert (problem.rule, problem.path, problem.in_force) == ("r", "/r.md", in_force)
    assert problem.reason.startswith(reason)


def test_each_invalid_condition_and_scope_part_is_reported() -> None:
    rule_problems = problems(rule("condition: ['a', '(', '[']\nscope: 'text, x:, y:'"))
    named = [problem.reason.split("`")[1] for problem in rule_problems]
    assert named == ["(", "[", "x:", "y:"]


def test_rules_without_a_body_and_shadowed_rules_are_reported() -> None:
    empty = rule("condition: a", body="")
    assert [problem.reason for problem in problems(empty)] == ["The file has no body, so there is nothing to inject."]
    rule_problems = problems(rule("condition: a"), rule("condition: b", path="/other.md"))
    assert [(problem.path, problem.reason) for problem in rule_problems] == [
        ("/other.md", "An earlier file has the same name: /r.md.")
    ]


@pytest.mark.parametrize(
    ("frontmatter", "settings"),
    [
        ("condition: '('\nenabled: false", Settings()),
        ("condition: '('", Settings(disabled_rules=("r",))),
        ("condition: '('", Settings(disabled_extensions=("r",))),
        ("condition: ['a', '(']\nagents: task", Settings()),
        ("condition: ['a', '(']", Settings(enabled=False)),
        ("alwaysApply: true", Settings()),
        ("description: read it when needed", Settings()),
        ("condition: fine", Settings()),
        ("condition: fine\ndescription: as meant: read line by line", Settings()),
    ],
)
def test_disabled_and_non_stream_rules_are_no_problems(frontmatter: str, settings: Settings) -> None:
    assert problems(rule(frontmatter), settings=settings) == []


def test_invalid_rules_of_other_dialects_are_reported() -> None:
    legacy = [
        register_legacy(read_rule(f"---\n{text}\n---\nB\n", name=name, path=f"/{name}.md"), "native")
        for name, text in (("bad", "ttsr_trigger: '('"), ("none", "other: x"), ("fine", "ttsr_trigger: x"))
    ]
    pi = [
        register_pi(read_pi_rule(f"---\n{text}\n---\nB\n", name=name, path=f"/{name}.md"))
        for name, text in (("p-bad", "trigger: '('"), ("p-flags", "trigger: x\nflags: qq"), ("p-fine", "trigger: x"))
    ]
    found = compose([*legacy, *pi], Settings()).problems
    assert [problem.rule for problem in found] == ["bad", "none", "p-bad", "p-flags"]
    assert all(problem.reason.endswith((".", "group")) and not problem.in_force for problem in found)


def test_a_legacy_rule_with_the_name_of_an_earlier_one_is_reported() -> None:
    legacy = [
        register_legacy(read_rule("---\nttsr_trigger: x\n---\nB\n", name="r", path=f"/{folder}/r.md"), "native")
        for folder in ("one", "two")
    ]
    assert [(problem.path, problem.reason) for problem in compose(legacy, Settings()).problems] == [
        ("/two/r.md", "An earlier file has the same name: /one/r.md.")
    ]


def test_an_unreadable_rule_file_is_reported() -> None:
    unread = UnreadableRule("r", "/r.md", "cannot read /r.md: it is a folder")
    assert compose([unread], Settings()).problems == (RuleProblem("r", "/r.md", False, unread.reason),)


def test_rules_refused_by_a_rule_set_are_reported() -> None:
    built = RuleSet.build([rule("condition: '('"), rule("condition: x\nenabled: false", name="s")], Settings())
    (problem,) = refused_rules(built)
    assert (problem.rule, problem.in_force) == ("r", False)
    assert problem.reason.startswith("Refused: no condition")


def test_a_long_condition_is_shortened_in_the_problem_line() -> None:
    (problem,) = problems(rule(f"condition: '({'x' * 5000}'"))
    line = problem_line(problem)
    assert len(line) < 400
    assert line.startswith("The rule r is not in force (/r.md). `(xxx")
