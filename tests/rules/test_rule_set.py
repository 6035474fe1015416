import pytest
from msgspec.structs import replace

from tests.rules.rule_files import registration_of
from ttsr_ls.rules.providers import BUILTIN
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.rules.rule_set import RefusalReason, RuleSet, admits_agent
from ttsr_ls.rules.settings.settings import Settings


def decisions(*registrations: Registration, settings: Settings | None = None, agent: str = "main") -> list[str]:
    """The names of the rules, then the reasons of the refusals."""
    rule_set = RuleSet.build(registrations, settings or Settings(), agent)
    return [rule.name for rule in rule_set.rules] + [refusal.reason.name for refusal in rule_set.refusals]


def test_rules_stay_in_order_of_discovery() -> None:
    assert decisions(*(registration_of("condition: x", name) for name in "zam")) == ["z", "a", "m"]


def test_the_first_of_two_files_with_one_name_is_active() -> None:
    rule_set = RuleSet.build(
        [registration_of("condition: first"), registration_of("condition: second", provider="agents")], Settings()
    )
    assert [condition.source for rule in rule_set.rules for condition in rule.conditions] == ["first"]
    assert [refusal.reason for refusal in rule_set.refusals] == [RefusalReason.SHADOWED]


@pytest.mark.parametrize("frontmatter", ["condition: '('", "description: d", "condition: x\nagents: sub"])
def test_a_rule_that_is_not_active_still_reserves_its_name(frontmatter: str) -> None:
    assert decisions(registration_of(frontmatter), registration_of("condition: x"))[1:] == ["SHADOWED"]


def test_a_file_without_a_body_reserves_its_name() -> None:
    # Observed in the reference agent: it removes duplicates before it rejects files.
    first = registration_of("condition: x", body="")
    assert decisions(first, registration_of("condition: x")) == ["EMPTY_BODY", "SHADOWED"]


def test_a_disabled_file_leaves_its_name_to_others() -> None:
    assert decisions(registration_of("condition: x\nenabled: false"), registration_of("condition: y")) == [
        "r",
        "NOT_ENABLED",
    ]


@pytest.mark.parametrize(
    ("frontmatter", "provider", "settings", "reason", "bucket"),
    [
        ("condition: x\ndescription: d", "native", Settings(enabled=False), RefusalReason.TTSR_OFF, Bucket.RULEBOOK),
        ("condition: x\nalwaysApply: true", "native", Settings(enabled=False), RefusalReason.TTSR_OFF, Bucket.ALWAYS),
        (
            "condition: x\ndescription: d",
            "native",
            Settings(disabled_rules=(" r ",)),
            RefusalReason.DISABLED_BY_SETTING,
            Bucket.DROPPED,
        ),
        (
            "condition: x\ndescription: d",
            BUILTIN.id,
            Settings(builtin_rules=False),
            RefusalReason.BUILTIN_RULES_OFF,
            Bucket.DROPPED,
        ),
        (
            "condition: x\ndescription: d\nagents: sub",
            "native",
            Settings(),
            RefusalReason.OTHER_AGENT,
            Bucket.DROPPED,
        ),
        ("condition: '('\ndescription: d", "native", Settings(), RefusalReason.NO_TRIGGER, Bucket.RULEBOOK),
    ],
)
def test_a_refused_rule_has_a_reason_and_goes_elsewhere(
    frontmatter: str, provider: str, settings: Settings, reason: RefusalReason, bucket: Bucket
) -> None:
    rule_set = RuleSet.build([registration_of(frontmatter, provider=provider)], settings)
    assert rule_set.rules == ()
    assert [(refusal.name, refusal.reason, refusal.bucket) for refusal in rule_set.refusals] == [("r", reason, bucket)]


def test_disabled_names_are_compared_exactly() -> None:
    assert decisions(registration_of("condition: x"), settings=Settings(disabled_rules=("R", "r.md"))) == ["r"]


@pytest.mark.parametrize(
    ("agents", "agent", "expected"),
    [
        ((), "anything", True),
        (("main",), "main", True),
        (("main",), "sub", False),
        (("!main",), "sub", True),
        (("!main",), "main", False),
        (("main|sub",), "main", False),
        (("{main, sub}",), "sub", False),
        (("{main,sub}",), "sub", True),
        (("explore-*",), "Explore-Code", True),
        (("[x]",), "[x]", True),
    ],
)
def test_agents_are_names_or_globs(agents: tuple[str, ...], agent: str, expected: bool) -> None:
    assert admits_agent(agents, agent) is expected


def test_without_builtin_rules_those_of_user_and_project_stay_active() -> None:
    """Seed 000, section 9."""
    registrations = [
        registration_of("condition: x", provider=BUILTIN.id),
        registration_of("condition: y", provider="native"),
    ]
    built = RuleSet.build(
        [replace(registration, name=f"r{position}") for position, registration in enumerate(registrations)],
        Settings(builtin_rules=False),
    )
    assert [rule.provider for rule in built.rules] == ["native"]
