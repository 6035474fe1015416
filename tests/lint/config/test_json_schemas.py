"""The JSON Schemas accept the files that the readers accept, and refuse the files that they refuse."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from tests.lint.case_files import CASES, read_cases
from ttsr_ls.lint.config.config import ConfigError, read_config
from ttsr_ls.lint.config.json_schemas import Schema, config_schema, frontmatter_schema
from ttsr_ls.lint.config.keys import CONFIG_KEYS, OVERRIDE_KEYS
from ttsr_ls.syntax.dialects.table import CURSOR, DIALECTS, OMP, PI_TTSR, Dialect
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import ListValue, MapValue, ScalarValue, Value

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float),
}  # fmt: skip
_KEYWORDS = {
    "$schema", "title", "description", "deprecated", "definitions", "type", "properties", "additionalProperties",
    "items", "anyOf", "enum", "const", "required", "propertyNames", "patternProperties", "$ref",
}  # fmt: skip


def accepts(schema: Schema, value: Any, whole: Schema) -> bool:
    """Returns whether a value is valid, for the keywords that our schemas use."""
    assert set(schema) <= _KEYWORDS
    if "$ref" in schema:
        return accepts(whole["definitions"][schema["$ref"].removeprefix("#/definitions/")], value, whole)
    if "anyOf" in schema and not any(accepts(item, value, whole) for item in schema["anyOf"]):
        return False
    if "type" in schema and (
        not isinstance(value, _TYPES[schema["type"]]) or (isinstance(value, bool) and schema["type"] == "number")
    ):
        return False
    if value not in schema.get("enum", [value]) or value != schema.get("const", value):
        return False
    if isinstance(value, list):
        return all(accepts(schema.get("items", {}), item, whole) for item in value)
    if isinstance(value, dict):
        known = schema.get("properties", {})
        more = schema.get("additionalProperties", True)
        patterns = schema.get("patternProperties", {})
        return (
            all(name in value for name in schema.get("required", []))
            and all(accepts(schema.get("propertyNames", {}), name, whole) for name in value)
            and all(
                accepts(known[name], item, whole)
                if name in known
                else any(item is True and re.search(pattern, name) for pattern, item in patterns.items())
                or more is True
                or (more is not False and accepts(more, item, whole))
                for name, item in value.items()
            )
        )
    return True


def config_accepts(toml: str) -> bool:
    schema = config_schema()
    return accepts(schema, tomllib.loads(toml), schema)


@pytest.mark.parametrize("key", [*CONFIG_KEYS, *OVERRIDE_KEYS], ids=lambda key: key.name)
def test_examples_of_the_configuration_are_accepted(key: Any) -> None:
    example = key.example if key in CONFIG_KEYS else f'[[overrides]]\npaths = ["a"]\n{key.example}'
    assert config_accepts(example if key.name != "paths" else f"[[overrides]]\n{key.example}")


@pytest.mark.parametrize(
    "toml",
    [
        'ignor = ["all"]',
        'ignore = "all"',
        'ignore = ["no-such-code"]',
        'select = ["All"]',
        'severity = { glob-shorthand = "fatal" }',
        'severity = { no-such-code = "info" }',
        "severity = []",
        'dialect = "aider"',
        "exclude = [1]",
        'rule-folders = "team"',
        '[[overrides]]\nignore = ["all"]',
        '[[overrides]]\npaths = ["a"]\nexclude = ["b"]',
        "overrides = {}",
    ],
)
def test_schema_refuses_files_that_the_reader_refuses(toml: str) -> None:
    with pytest.raises(ConfigError):
        read_config(tomllib.loads(toml), "the configuration")
    assert not config_accepts(toml)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.id)
def test_every_key_of_a_dialect_is_described(dialect: Dialect) -> None:
    schema = frontmatter_schema(dialect)
    assert set(schema["properties"]) == {spelling for key in dialect.keys for spelling in key.spellings}
    assert all(each["description"] for each in schema["properties"].values())


@pytest.mark.parametrize(
    ("dialect", "frontmatter", "accepted"),
    [
        (OMP, {"condition": "a", "scope": ["text"], "enabled": True, "interruptMode": "never"}, True),
        (OMP, {"interrupt-mode": "prose-only", "ttsr_trigger": "a"}, True),
        (OMP, {"condition": 404}, False),
        (OMP, {"question": ["a"]}, False),
        (OMP, {"enabled": "no"}, False),
        (OMP, {"interruptMode": "Never"}, False),
        (OMP, {"conditions": "a"}, False),
        (OMP, {"id": 1, "tags": ["a"], "lastUpdated": "b", "x-team": None}, True),
        (PI_TTSR, {"trigger": "a", "maxFirings": 2, "scope": "chunk"}, True),
        (PI_TTSR, {"trigger": "a", "maxFirings": "2"}, False),
        (PI_TTSR, {"trigger": "a", "scope": "text"}, False),
        (CURSOR, {"globs": "*.ts,*.tsx", "alwaysApply": False, "author": "me"}, True),
        (CURSOR, {"alwaysApply": "yes"}, False),
    ],
)
def test_frontmatter(dialect: Dialect, frontmatter: Schema, accepted: bool) -> None:
    schema = frontmatter_schema(dialect)
    assert accepts(schema, frontmatter, schema) is accepted


def test_only_what_is_superseded_is_deprecated() -> None:
    schema = frontmatter_schema(OMP)
    deprecated = {name for name, value in schema["properties"].items() if value.get("deprecated")}
    assert deprecated == {"ttsr_trigger", "ttsrTrigger", "ttsr-trigger"}


def plain(value: Value) -> Any:
    match value:
        case ScalarValue():
            return value.data
        case ListValue():
            return [plain(item) for item in value.items]
        case MapValue():
            return {entry.key: plain(entry.value) for entry in value.entries}


def test_keys_and_types_agree_with_the_checks() -> None:
    """Of the case files, the schema accepts exactly those without a finding about a key or its type."""
    schema = frontmatter_schema(OMP)
    seen = {True: 0, False: 0}
    for path in ("keys", "strings", "scope", "globs", "questions"):
        for case in read_cases((CASES / f"{path}.md").read_text()):
            file = read_rule(case.texts[0].text, name="rule", path=".omp/rules/rule.md")
            about = {problem.code for problem in file.problems}
            if file.frontmatter is None or file.frontmatter.entry("name") or "duplicate-key" in about:
                continue
            # What YAML makes of a value that it cuts off, the findings of that say better.
            if "truncated-value" in about:
                continue
            expected = not about & {"unknown-key", "wrong-value-type", "invalid-interrupt-mode"}
            frontmatter = {entry.key: plain(entry.value) for entry in file.frontmatter.entries}
            assert accepts(schema, frontmatter, schema) is expected, file.text
            seen[expected] += 1
    assert min(seen.values()) > 5
