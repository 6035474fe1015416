"""Settings files are read with spans, and reading never raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.syntax.rule_file import ScalarValue
from ttsr_ls.syntax.settings_file import MAX_LENGTH, member, read_settings
from ttsr_ls.syntax.settings_locations import SettingsFormat, settings_format_of

YAML, JSON, JSONC = SettingsFormat.YAML, SettingsFormat.JSON, SettingsFormat.JSON_WITH_COMMENTS


def scalar(text: str, written: SettingsFormat, *keys: str) -> object:
    file = read_settings(text, "p", written)
    entry = file.entry(*keys)
    assert entry is not None
    assert isinstance(entry.value, ScalarValue)
    assert str(entry.value.data).lower() in text[entry.value.span.start : entry.value.span.end].lower()
    return entry.value.data


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a:\n  b: 7\n", YAML),
        ("a:\r\n  b: 7\r\n", YAML),
        ("a: {b: 7}", YAML),
        ('{"a": {"b": 7}}', YAML),
        ("a: 1\na: {b: 7}", YAML),
        ('{"a": {"b": 7}}', JSON),
        ('{\r\n\t"a":\t{\r\n\t\t"b": 7}}', JSON),
        ('{"a": {"b": 1}, "a": {"b": 7}}', JSON),
        ('{"a": {"b": 7}}', JSONC),
        ('{"a": {"b": 7, /* , } */ }, // end\n}', JSONC),
        ('{"x": "// no /* comment , }", "a": {"b": 7}}', JSONC),
    ],
)
def test_settings_values_have_their_spans(text: str, written: SettingsFormat) -> None:
    assert scalar(text, written, "a", "b") == 7


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "~"])
def test_empty_yaml_has_no_settings_and_no_problem(text: str) -> None:
    file = read_settings(text, "p", YAML)
    assert file.root is not None
    assert (file.root.entries, file.problems) == ((), ())


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a: [", YAML), ("- a", YAML), ("a", YAML), ("\ta: 1", YAML), ("a: 1\n--- \nb: 1", YAML),
        ("#" * (MAX_LENGTH + 1), YAML),
        ("", JSON), ("[]", JSON), ('{"a": 1,}', JSON), ('{"a": 1} // c', JSON), ("{'a': 1}", JSON), ("a: 1", JSON),
        ("[" * 100_000, JSON), ('{"a":' * 5000, JSONC), ('{"a": /*', JSONC), ('{"a": 1} x', JSONC),
    ],
)  # fmt: skip
def test_invalid_settings_are_a_problem(text: str, written: SettingsFormat) -> None:
    file = read_settings(text, "p", written)
    assert file.root is None
    assert [problem.code for problem in file.problems] == ["broken-settings"]
    assert file.entry("a") is None


def test_the_member_of_a_value_that_is_no_map_is_none() -> None:
    assert member(None, "a") is None
    file = read_settings("a: 1", "p", YAML)
    assert file.entry("a", "b") is None
    assert file.entry("b") is None


@given(st.text(max_size=200), st.sampled_from(SettingsFormat))
def test_reading_settings_never_raises_and_spans_are_within_the_text(text: str, written: SettingsFormat) -> None:
    file = read_settings(text, "p", written)
    spans = [problem.span for problem in file.problems]
    if file.root is not None:
        spans += [span for entry in file.root.entries for span in (entry.key_span, entry.value.span)]
    assert all(0 <= span.start <= span.end <= len(text) for span in spans)
    assert (file.root is None) == bool(file.problems)


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("/p/.omp/config.yml", YAML),
        ("/p/.omp/config.yaml", YAML),
        ("/p/.omp/settings.json", JSON),
        ("/home/me/.omp/agent/config.yml", YAML),
        ("/home/me/.omp/agent/settings.json", JSONC),
        ("/p/config.yml", None),
        ("/p/agent/config.yml", None),
        ("/p/.claude/settings.json", None),
        ("/p/.omp/rules/config.yml", None),
        ("config.yml", None),
    ],
)
def test_settings_files_are_recognised_by_their_location(path: str, written: SettingsFormat | None) -> None:
    assert settings_format_of(path) is written
