"""The configuration selects the findings that are reported for each file, and its mistakes are reported."""

from __future__ import annotations

import tomllib

import pytest

from ttsr_ls.lint.config.config import DEFAULT_CONFIG, ConfigError, ConfigTables, read_config
from ttsr_ls.lint.config.keys import CONFIG_KEYS, OVERRIDE_KEYS
from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.selection import ALL_CODES, EVERYTHING
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.text import Span


def config(text: str) -> ConfigTables:
    return read_config(tomllib.loads(text), "the configuration")


def reported(text: str, path: str = "rules/a.md") -> list[str]:
    """Returns three findings as the configuration selects them."""
    findings = [
        Finding("empty-body", Severity.ERROR, "One.", Span(0, 1)),
        Finding("unknown-key", Severity.WARNING, "Two.", Span(0, 1)),
        Finding("inert-name", Severity.INFO, "Three.", Span(0, 1)),
    ]
    return [
        f"{finding.severity} {finding.code}" for finding in config(text).selection(path).apply_to_findings(findings)
    ]


ALL = ["error empty-body", "warning unknown-key", "info inert-name"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ALL),
        ('select = ["all"]', ALL),
        ('select = ["empty-body"]', ALL[:1]),
        ("select = []", []),
        ('ignore = ["unknown-key"]', [ALL[0], ALL[2]]),
        ('ignore = ["all"]', []),
        ('select = ["empty-body", "inert-name"]\nignore = ["inert-name"]', ALL[:1]),
        ('severity = { inert-name = "error" }', [*ALL[:2], "error inert-name"]),
        ('[[overrides]]\npaths = ["rules/**"]\nignore = ["empty-body"]', ALL[1:]),
        ('[[overrides]]\npaths = ["a.md"]\nignore = ["empty-body"]', ALL[1:]),
        ('[[overrides]]\npaths = ["other/**", "*.mdc"]\nignore = ["empty-body"]', ALL),
        ('ignore = ["empty-body"]\n[[overrides]]\npaths = ["*.md"]\nselect = ["empty-body"]', ALL[:1]),
        (
            '[[overrides]]\npaths = ["*"]\nignore = ["empty-body"]\n[[overrides]]\npaths = ["*"]\nselect = ["all"]\n'
            'ignore = ["unknown-key"]\n[overrides.severity]\ninert-name = "hint"',
            ["error empty-body", "hint inert-name"],
        ),
    ],
)
def test_configuration_selects_the_reported_findings(text: str, codes: list[str]) -> None:
    assert reported(text) == codes


def test_default_configuration_selects_every_code() -> None:
    assert DEFAULT_CONFIG.selection("a.md") == EVERYTHING
    assert EVERYTHING.codes == ALL_CODES


@pytest.mark.parametrize(
    ("path", "dialect"), [("a.md", DialectId.OMP), ("pi/a.md", DialectId.PI_TTSR), ("pi/b/c.md", DialectId.PI_TTSR)]
)
def test_dialect_is_that_of_the_last_override(path: str, dialect: DialectId) -> None:
    text = 'dialect = "omp"\n[[overrides]]\npaths = ["pi/**"]\ndialect = "pi-ttsr"'
    assert config(text).dialect(path) is dialect
    assert DEFAULT_CONFIG.dialect(path) is None


def test_files_are_excluded_by_globs() -> None:
    excluding = config('exclude = ["tests/**", "draft-*.md"]')
    assert [excluding.excludes(path) for path in ("tests/a.md", "rules/draft-a.md", "rules/a.md")] == [
        True,
        True,
        False,
    ]


def test_rule_folders_are_kept_in_order() -> None:
    assert config('rule-folders = ["b", "a"]').rule_folders == ("b", "a")


def test_features_are_kept_in_order() -> None:
    assert config('features = ["tasks", "budget"]').features == ("tasks", "budget")
    assert DEFAULT_CONFIG.features == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('selct = ["all"]', "the configuration has a key `selct` that does not exist; did you mean `select`?"),
        ("rule_folders = []", "has a key `rule_folders` that does not exist; did you mean `rule-folders`?"),
        ("zebra = 1", "has a key `zebra` that does not exist; it has `select`, `ignore`, `severity`, "),
        (
            "select = 'all'",
            '`select` in the configuration is a text; write a list of finding codes, or of "all": select',
        ),
        ("features = 'tasks'", "`features` in the configuration is a text; write a list of names of features: "),
        ("ignore = [1]", "`ignore` in the configuration is a list with something else in it; write a list"),
        (
            'ignore = ["glob-shorthnd"]',
            "names a code `glob-shorthnd` that does not exist; did you mean `glob-shorthand`?",
        ),
        ('ignore = ["L25"]', "names a code `L25` that does not exist; `ttsr-ls explain` lists the codes"),
        (
            "severity = 1",
            "`severity` in the configuration is a number; write a table from finding codes to severities: ",
        ),
        ('severity = { emptybody = "info" }', "`severity` in the configuration names a code `emptybody` that does not"),
        (
            'severity = { empty-body = "fatal" }',
            "gives `empty-body` the severity `fatal`, which does not exist; write one",
        ),
        ('severity = { empty-body = "off" }', "`info`, `hint`, or name the code in `ignore`"),
        ("severity = { empty-body = true }", "gives `empty-body` the severity `a boolean`, which does not exist"),
        ('dialect = "omg"', "`dialect` in the configuration is `omg`, which is no dialect; write one of `omp`, "),
        ("dialect = ['omp']", "`dialect` in the configuration is `a list with something else in it`, which is no"),
        ("exclude = 2024-01-01", "`exclude` in the configuration is a date or time; write a list of globs: exclude ="),
        (
            "[overrides]",
            "`overrides` in the configuration is a table; write a list of tables, each written [[overrides]]",
        ),
        (
            "[[overrides]]\nignore = []",
            "override 1 of the configuration has no `paths`: write the files that it applies to",
        ),
        (
            "[[overrides]]\npaths = []\n[[overrides]]\npaths = []\nexclude = []",
            "override 2 of the configuration has a key `exclude` that does not exist; it has `paths`, ",
        ),
    ],
)
def test_read_config_raises_with_the_mistake(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        config(text)
    assert message in str(raised.value)


def test_read_config_raises_with_all_mistakes_up_to_a_limit() -> None:
    with pytest.raises(ConfigError) as raised:
        config('zebra = 1\nignore = ["nope"]\nselect = 5')
    parts = str(raised.value).split(". Also: ")
    assert len(parts) == 3
    assert all(word in str(raised.value) for word in ("`zebra`", "`nope`", "`select` in the configuration is a number"))
    with pytest.raises(ConfigError, match=r"`k9`.*\. Also: 2 more$"):
        config("".join(f"k{number} = 1\n" for number in range(12)))


@pytest.mark.parametrize("key", [*CONFIG_KEYS, *OVERRIDE_KEYS], ids=lambda key: key.name)
def test_examples_are_valid(key: object) -> None:
    example = key.example  # type: ignore[attr-defined]
    if key in CONFIG_KEYS:
        config(example)
    else:
        config('[[overrides]]\npaths = ["*"]\n' + ("" if example.startswith("paths") else example))


@pytest.mark.parametrize("key", [*CONFIG_KEYS, *OVERRIDE_KEYS], ids=lambda key: key.name)
def test_each_key_is_described(key: object) -> None:
    assert key.documentation.endswith(".")  # type: ignore[attr-defined]
