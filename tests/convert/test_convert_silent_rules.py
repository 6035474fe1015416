"""Conversion of rules that do not do what they seem to: rules that never fire, and texts that change their meaning."""

from __future__ import annotations

import pytest

from ttsr_ls.convert.conversion import Conversion, convert
from ttsr_ls.convert.portable_rule import ConversionError
from ttsr_ls.syntax.dialects.table import find_dialect
from ttsr_ls.syntax.frontmatter.plain_reader import read_plain
from ttsr_ls.syntax.reader import read_rule


def converted(text: str, source: str, target: str) -> Conversion:
    dialects = [find_dialect(source), find_dialect(target)]
    assert dialects[0] is not None
    assert dialects[1] is not None
    return convert(text, name="r", path="r.md", source=dialects[0], target=dialects[1])


def rule(frontmatter: str, body: str = "Body.") -> str:
    return f"---\n{frontmatter}\n---\n{body}\n"


@pytest.mark.parametrize("target", ["pi-ttsr", "cursor", "claude"])
@pytest.mark.parametrize(
    ("frontmatter", "why"),
    [
        ("condition: '('", "None of its conditions is a valid regular expression"),
        ("condition: ['(', 'a++']\nscope: text", "None of its conditions is a valid regular expression"),
        ("condition: a\nscope: 'tool:*'", r"No token of its scope \(`tool:\*`\) names a stream"),
        ("condition: a\nscope: ['tool: edit', 'text(']", r"No token of its scope \(`tool: edit, text\(`\)"),
    ],
)
def test_a_rule_that_never_fires_is_not_converted_to_one_that_fires(frontmatter: str, why: str, target: str) -> None:
    with pytest.raises(ConversionError, match=why):
        converted(rule(frontmatter), "omp", target)


def test_a_rule_that_never_fires_is_converted_as_guidance() -> None:
    conversion = converted(rule("condition: '('\ndescription: D"), "omp", "cursor")
    assert conversion.frontmatter == "description: D\nalwaysApply: false\n"
    assert "it never fires; in omp it is included when the model asks for it by its description" in conversion.lost[-1]
    conversion = converted(rule("condition: a\nscope: 'tool:*'\nalwaysApply: true"), "omp", "cursor")
    assert conversion.frontmatter == "alwaysApply: true\n"
    assert "it never fires; in omp it is included in every conversation" in conversion.lost[-1]


def test_conversion_reports_that_omp_drops_a_rule_without_a_body() -> None:
    conversion = converted(rule("condition: a\nscope: text", ""), "omp", "pi-ttsr")
    assert "omp drops a rule without a body" in conversion.lost[0]


@pytest.mark.parametrize("frontmatter", ["alwaysApply: true\nagents: sub", "condition: a\nagents: sub"])
def test_conversion_reports_lost_agents(frontmatter: str) -> None:
    assert any(sentence.startswith("`agents`") for sentence in converted(rule(frontmatter), "omp", "cursor").lost)


@pytest.mark.parametrize(
    ("trigger", "flags"), [("\\p{L}+", "u"), ("\\u{61}", "iu"), ("[a--b]", "v"), ("a", "v"), ("😀?", "u")]
)
def test_a_trigger_that_needs_its_flag_is_not_converted(trigger: str, flags: str) -> None:
    with pytest.raises(ConversionError, match=f"needs the flag `{flags[-1]}`"):
        converted(rule(f"trigger: '{trigger}'\nflags: {flags}"), "pi-ttsr", "omp")


@pytest.mark.parametrize("key", ["description", "globs"])
@pytest.mark.parametrize("target", ["omp", "windsurf", "github"])
def test_a_comment_mark_in_converted_frontmatter_is_escaped(target: str, key: str) -> None:
    text = rule(f"{key}: 'a <!-- b'\nalwaysApply: false", "x --> y")
    conversion = converted(text, "cursor", target)
    file = read_rule(conversion.text, name="r", path="r.md")
    assert file.body.value == "x --> y"
    assert file.frontmatter is not None
    plain = read_plain(conversion.text, name="r", path="r.md").text_value("description")
    if key == "description":
        assert file.fields.description == "a <!-- b"
        assert plain is not None
        assert plain.value == "a <!-- b"


@pytest.mark.parametrize("target", ["cline", "claude"])
def test_a_body_that_begins_with_a_horizontal_rule_does_not_become_frontmatter(target: str) -> None:
    body = "---\nhello: 1\n---\nx"
    conversion = converted(rule("alwaysApply: true", f"\n{body}"), "cursor", target)
    assert read_plain(conversion.text, name="r", path="r.md").frontmatter is None
    assert conversion.text.strip() == body


@pytest.mark.parametrize(
    ("source", "frontmatter"),
    [
        ("hookify", "event: bash\npattern: rm\naction: block"),
        ("pi-ttsr", "trigger: a\nflags: gy\nscope: chunk"),
        ("maestro", "condition: a\nrepeatMode: once"),
        ("omp", "condition: ['(', a]"),
    ],
)
def test_conversion_to_guidance_reports_only_the_lost_trigger(source: str, frontmatter: str) -> None:
    (lost,) = converted(rule(frontmatter), source, "claude").lost
    assert lost.startswith("The rule's trigger is left out, because Claude Code matches no output.")


def test_lost_agents_of_maestro_are_reported_for_every_target() -> None:
    for target in ("omp", "claude"):
        assert "`agents`" in converted(rule("condition: a\nagents: codex"), "maestro", target).lost[0]


@pytest.mark.parametrize(
    ("trigger", "expected", "lost"),
    [
        (
            "manual",
            "alwaysApply: false\n",
            ("The description is left out: Cursor would offer the rule to the model by it.",),
        ),
        ("model_decision", "description: D\nalwaysApply: false\n", ()),
    ],
)
def test_keys_without_an_effect_stay_without_an_effect(trigger: str, expected: str, lost: tuple[str, ...]) -> None:
    conversion = converted(rule(f"trigger: {trigger}\nglobs: '*.ts'\ndescription: D"), "windsurf", "cursor")
    assert (conversion.frontmatter, conversion.lost) == (expected, lost)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("cursor", "description: D\nglobs: *.ts\nalwaysApply: false\n"),
        ("windsurf", "trigger: glob\nglobs: *.ts\ndescription: D\n"),
        ("github", "description: D\napplyTo: '*.ts'\n"),
        ("claude", "description: D\npaths:\n  - '*.ts'\n"),
    ],
)
def test_a_listed_omp_rule_with_globs_is_included_for_its_files_with_a_note(target: str, expected: str) -> None:
    conversion = converted(rule("description: D\nglobs: '*.ts'"), "omp", target)
    assert conversion.frontmatter == expected
    assert "asked for the rule by its description" in conversion.lost[0]


def test_conversion_reports_that_a_joined_pattern_needs_a_newer_engine() -> None:
    (lost,) = converted(rule("condition: ['(?<y>a)', '(?<y>b)']\nscope: text"), "omp", "pi-ttsr").lost
    assert "have the same name" in lost
    assert not converted(rule("condition: ['(?<y>a)', '\\(?<y>b']\nscope: text"), "omp", "pi-ttsr").lost
