"""Reading pi-ttsr rules and their triggers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.syntax.frontmatter.plain_reader import read_plain
from ttsr_ls.syntax.pi.keys import PiScope
from ttsr_ls.syntax.pi.pattern import FlagsError, can_be_matched, read_flags, single_text_condition, stream_condition
from ttsr_ls.syntax.pi.rule_file import PiRuleFile, read_pi_rule


def read(frontmatter: str, body: str = "Body.") -> PiRuleFile:
    return read_pi_rule(f"---\n{frontmatter}\n---\n{body}\n", name="r", path="r.md")


def test_a_pi_rule_has_default_values() -> None:
    file = read("trigger: foo")
    assert file.trigger is not None
    assert (file.trigger.value, file.flags, file.scope) == ("foo", "", PiScope.LINE)
    assert (file.max_firings, file.cooldown, file.file.body.value) == (1.0, 0.0, "Body.")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("3", 3.0),
        ("'3'", 3.0),
        ("' 3 '", 3.0),
        ("0x10", 16.0),
        ("'0b11'", 3.0),
        ("''", 0.0),
        ("1.5", 1.5),
        ("true", 1.0),
        (".inf", math.inf),
        ("'-Infinity'", -math.inf),
        ("[]", 0.0),
        ("[2]", 2.0),
        ("[[2]]", 2.0),
        ("null", 1.0),
        ("", 1.0),
    ],
)
def test_pi_numbers_are_converted_as_in_javascript_comparisons(written: str, expected: float) -> None:
    assert read(f"trigger: a\nmaxFirings: {written}").max_firings == expected


@pytest.mark.parametrize("written", ["many", "'3 times'", "[1, 2]", "{a: 1}", "[true]", "'1_000'", "inf", "'0x'"])
def test_invalid_pi_numbers_are_nan(written: str) -> None:
    assert math.isnan(read(f"trigger: a\nmaxFirings: {written}").max_firings)


@pytest.mark.parametrize("frontmatter", ["scope: line", "trigger: ''", "trigger: 404", "trigger: [a]", "trigger:"])
def test_a_pi_rule_without_a_trigger_text_has_no_trigger(frontmatter: str) -> None:
    assert read(frontmatter).trigger is None


def test_an_unknown_pi_scope_is_read_as_line() -> None:
    assert read("trigger: a\nscope: text").scope is PiScope.LINE


def test_pi_rules_keep_tabs_comments_and_kebab_case_keys() -> None:
    file = read("trigger: 'a\tb <!-- c -->'\nmax-firings: 3", "Body <!-- kept -->")
    assert file.trigger is not None
    assert file.trigger.value == "a\tb <!-- c -->"
    assert file.max_firings == 1.0
    assert file.file.body.value == "Body <!-- kept -->"


def test_invalid_yaml_of_plain_files_is_read_line_by_line() -> None:
    file = read_plain("---\nglobs: **/*.ts, **/*.tsx\nalwaysApply: false\n---\n", name="r", path="r.mdc")
    globs = file.text_value("globs")
    assert globs is not None
    assert globs.value == "**/*.ts, **/*.tsx"
    assert file.failure is not None


@pytest.mark.parametrize(
    ("text", "reason"), [("x", "no flag"), ("ii", "more than once"), ("uv", "exclude"), ("I", "no flag")]
)
def test_invalid_pi_flags_are_rejected(text: str, reason: str) -> None:
    with pytest.raises(FlagsError, match=reason):
        read_flags(text)


@pytest.mark.parametrize(
    ("trigger", "flags", "scope", "expected"),
    [
        ("foo", "", PiScope.LINE, "foo"),
        ("foo", "i", PiScope.LINE, "(?i)foo"),
        ("foo", "smi", PiScope.ACCUMULATED, "(?ims)foo"),
        ("^foo", "", PiScope.ACCUMULATED, "^foo"),
        ("^foo", "", PiScope.CHUNK, "^foo"),
        ("^foo", "", PiScope.LINE, r"(?<![^\n])foo"),
        ("foo", "g", PiScope.LINE, "foo"),
        ("foo", "y", PiScope.LINE, r"(?<![^\n])(?:foo)"),
        ("foo|bar", "my", PiScope.ACCUMULATED, "(?m)(?<![^])(?:foo|bar)"),
        ("😀\\s", "", PiScope.LINE, "😀[^\\S\\n]"),
    ],
)
def test_a_stream_condition_is_equivalent_to_the_trigger(
    trigger: str, flags: str, scope: PiScope, expected: str
) -> None:
    assert stream_condition(trigger, read_flags(flags), scope) == expected


def test_a_flag_group_in_a_pi_trigger_is_an_error() -> None:
    with pytest.raises(RegexSyntaxError):
        single_text_condition("(?i)foo", read_flags(""))


@pytest.mark.parametrize(
    ("trigger", "flags", "expected"),
    [
        ("foo", "", True),
        (r"\p{L}", "", True),
        ("foo", "u", True),
        (r"\p{L}", "u", False),
        ("😀", "u", False),
        ("a", "v", False),
        ("(", "u", True),
        (r"a\/b\u0041\x41\cA\0{2,}(?:c)+(?i:d)(?<n>e)\2", "u", False),
        (r"a\/b\u0041\x41\cA\0{2,}(?:c)+(?i:d)(?<n>e)\1", "u", True),
        (r"say \"hi\"", "u", False),
        (r"a\-b", "u", False),
        (r"[a\-b\]\w-]", "u", True),
        (r"[\w-b]", "u", False),
        (r"[a-\d]", "u", False),
        ("a{", "u", False),
        ("a]", "u", False),
        ("(?=a)*", "u", False),
        ("(?<=a)b(?!c)", "u", True),
        (r"\u{61}", "u", False),
        (r"\ud83d", "u", False),
    ],
)
def test_unicode_triggers_are_matched_if_the_flag_changes_nothing(trigger: str, flags: str, expected: bool) -> None:
    assert can_be_matched(trigger, read_flags(flags)) == expected


@given(st.text(st.sampled_from("-\n:' \"[]{}aé😀\r\t#|>&*!%@`,?\\"), max_size=40))
def test_any_text_is_read_as_a_pi_rule_with_spans_within_it(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\n{text}", f"---\ntrigger: {text}\n---"):
        file = read_pi_rule(whole, name="r", path="r.md")
        spans = [file.file.body.span, *([file.trigger.span] if file.trigger else [])]
        assert all(0 <= span.start <= span.end <= len(whole) for span in spans)
