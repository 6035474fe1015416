import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rules.rule_files import registration_of
from ttsr_ls.rules.registration import Bucket, register
from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.syntax.reader import read_rule


def marked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """A rule file's text without the marks `«` and `»`, and the spans between them."""
    spans, plain = [], ""
    for part in text.split("«"):
        inner_text, mark, rest = part.partition("»")
        if mark:
            spans.append((len(plain), len(plain) + len(inner_text)))
        plain += inner_text + rest
    return plain, spans


def found_at(text: str) -> tuple[list[tuple[int, int]], list[str], list[tuple[int, int]]]:
    """The marked spans of a rule file, and the codes and spans of what registration finds."""
    plain, expected = marked(text)
    problems = register(read_rule(plain, name="r", path="r.md"), "native").problems
    spans = [(problem.span.start, problem.span.end) for problem in problems]
    return expected, [problem.code for problem in problems], spans


@pytest.mark.parametrize(
    ("frontmatter", "bucket", "fallback"),
    [
        ("condition: x", Bucket.TTSR, Bucket.DROPPED),
        ("condition: x\ndescription: d", Bucket.TTSR, Bucket.RULEBOOK),
        ("condition: x\ndescription: d\nalwaysApply: true", Bucket.TTSR, Bucket.ALWAYS),
        ("astCondition: f($A)", Bucket.TTSR, Bucket.DROPPED),
        ("question: Is it so?", Bucket.TTSR, Bucket.DROPPED),
        ("condition: '('", Bucket.DROPPED, Bucket.DROPPED),
        ("condition: '('\ndescription: d", Bucket.RULEBOOK, Bucket.RULEBOOK),
        ("condition: '('\nquestion: Is it so?", Bucket.TTSR, Bucket.DROPPED),
        ("condition: x\nscope: '*'\nalwaysApply: true", Bucket.ALWAYS, Bucket.ALWAYS),
        ("description: d", Bucket.RULEBOOK, Bucket.RULEBOOK),
        ("condition: x\nenabled: false\ndescription: d", Bucket.DISABLED, Bucket.RULEBOOK),
    ],
)
def test_registration_decides_bucket_and_fallback(frontmatter: str, bucket: Bucket, fallback: Bucket) -> None:
    registration = registration_of(frontmatter)
    assert (registration.bucket, registration.fallback) == (bucket, fallback)


def test_a_file_without_a_body_is_dropped_but_has_a_rule_for_trials() -> None:
    registration = registration_of("condition: x\ndescription: d", body="  ")
    assert registration.bucket is Bucket.DROPPED
    assert not registration.has_body
    assert registration.rule is not None
    assert [problem.code for problem in registration.problems] == ["empty-body"]


def test_a_disabled_file_has_a_rule_for_trials() -> None:
    registration = registration_of("condition: x\nenabled: false")
    assert registration.rule is not None
    assert registration.problems == ()


def test_registration_copies_all_fields_of_the_file() -> None:
    registration = registration_of(
        "condition: [a, '(', b]\nastCondition: f($A)\nquestion: Is it?\ndescription: d\nglobs: ['*.ts', src/**]\n"
        "agents: Main, explore\ninterruptMode: prose-only",
        name="say",
        provider="agents",
    )
    rule = registration.rule
    assert rule is not None
    assert (rule.name, rule.path, rule.provider, rule.body) == ("say", "say.md", "agents", "Body")
    assert [condition.source for condition in rule.conditions] == ["a", "b"]
    assert (rule.ast_conditions, rule.question, rule.description) == (("f($A)",), "Is it?", "d")
    assert (rule.globs, rule.agents) == (("*.ts", "src/**"), ("main", "explore"))
    assert rule.interrupt_mode is InterruptMode.PROSE_ONLY
    assert registration.agents == rule.agents


@pytest.mark.parametrize(
    "text",
    [
        "---\ncondition: 'ab«(»'\n---\nb",
        '---\ncondition:\n  - ok\n  - "(?im)a\\x62«(»"\n---\nb',
        "---\ncondition: '😀«(»'\n---\nb",
    ],
)
def test_an_invalid_regex_is_marked_where_it_is_wrong(text: str) -> None:
    expected, codes, spans = found_at(text)
    assert codes == ["regex-does-not-compile"]
    assert spans == expected


def test_an_unreachable_scope_is_marked_as_a_whole() -> None:
    expected, codes, spans = found_at("---\ncondition: x\nscope: «'tool:, *'»\n---\nb")
    assert codes == ["unreachable-scope"]
    assert spans == expected


def test_the_scope_of_a_rule_without_a_trigger_is_not_checked() -> None:
    assert registration_of("description: d\nscope: '*'").problems == ()


def test_problems_come_in_order_of_the_file() -> None:
    registration = registration_of("scope: '*'\ncondition: ['(', x, ')']", body="")
    assert [problem.code for problem in registration.problems] == [
        "unreachable-scope",
        "regex-does-not-compile",
        "regex-does-not-compile",
        "empty-body",
    ]


LINES = st.sampled_from(
    """
condition: '('
condition: ["(?i)a[", "\\x28", ok, "😀)"]
condition: *.ts
condition: |
  a(
scope: "tool:edit(*.ts), '*"
scope: [text, 'tool:']
scope:
interruptMode: sometimes
interruptMode: never
interrupt-mode: Always
enabled: false
alwaysApply: true
globs: [1, '*.ts', ~]
agents: "{Main, x}"
question: [a]
question: Is it?
description: <!-- d -->
---
body
"""[1:-1].split("\n")
)


@given(st.lists(LINES | st.text(max_size=12), max_size=8))
def test_registration_of_any_file_reports_problems_within_it(lines: list[str]) -> None:
    text = "---\n" + "\n".join(lines)
    registration = register(read_rule(text, name="r", path="r.md"), "native")
    assert all(0 <= problem.span.start <= problem.span.end <= len(text) for problem in registration.problems)
    assert (registration.bucket is not Bucket.TTSR) or registration.rule is not None
