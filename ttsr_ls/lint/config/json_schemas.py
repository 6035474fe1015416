"""JSON Schemas of the frontmatter and of the configuration, generated from the tables of keys.

For editors that complete and check YAML and TOML by a schema. They state which keys and values exist; the checks judge
values of the right type.
"""

from __future__ import annotations

from typing import Any, assert_never

from ttsr_ls.lint.config.keys import (
    ALL,
    CODES,
    CONFIG_KEYS,
    DIALECT_NAMES,
    OVERRIDE_KEYS,
    PATHS,
    SEVERITIES,
    ConfigKey,
    ConfigKind,
)
from ttsr_ls.syntax.dialects.table import Dialect, Purpose
from ttsr_ls.syntax.keys import LEGACY_CONDITION_KEYS, Key, Kind
from ttsr_ls.syntax.metadata_keys import METADATA_PATTERN

Schema = dict[str, Any]

# The draft that editors' extensions for YAML and TOML support best.
_DRAFT = "http://json-schema.org/draft-07/schema#"
_TEXTS: Schema = {"type": "array", "items": {"type": "string"}}
_SUPERSEDED = (*LEGACY_CONDITION_KEYS, "ttsr-trigger")


def frontmatter_schema(dialect: Dialect) -> Schema:
    """Returns the schema of a rule's frontmatter. Guidance rules may have additional keys; other rules may not."""
    properties: Schema = {}
    for key in dialect.keys:
        for spelling in key.spellings:
            properties[spelling] = _frontmatter_value(key)
            if spelling in _SUPERSEDED and key.name not in _SUPERSEDED:
                properties[spelling]["deprecated"] = True
    return {
        "$schema": _DRAFT,
        "title": f"Frontmatter of a rule for {dialect.program}",
        "type": "object",
        "properties": properties,
        "patternProperties": {METADATA_PATTERN: True},
        "additionalProperties": dialect.purpose is Purpose.GUIDES,
    }


def config_schema() -> Schema:
    """Returns the schema of ttsr-ls.toml, and of `[tool.ttsr-ls]` in pyproject.toml."""
    return {
        "$schema": _DRAFT,
        "title": "Configuration of ttsr-ls",
        "type": "object",
        "properties": {key.name: _config_value(key) for key in CONFIG_KEYS},
        "additionalProperties": False,
        "definitions": {"code": {"type": "string", "enum": list(CODES)}},
    }


def _frontmatter_value(key: Key) -> Schema:
    kinds = [_kind(kind, key.values) for kind in key.kinds]
    described: Schema = {"description": f"{key.documentation}\nWithout it: {key.default}."}
    return {**described, **(kinds[0] if len(kinds) == 1 else {"anyOf": kinds})}


def _kind(kind: Kind, values: tuple[str, ...] | None) -> Schema:
    text: Schema = {"type": "string"} if values is None else {"type": "string", "enum": list(values)}
    match kind:
        case Kind.STRING:
            return text
        case Kind.STRINGS:
            return {"type": "array", "items": text}
        case Kind.BOOLEAN | Kind.NUMBER:
            return {"type": str(kind)}
        case Kind.MAPS:
            return {"type": "array", "items": {"type": "object"}}
        case _:
            assert_never(kind)


def _config_value(key: ConfigKey) -> Schema:
    return {"description": f"{key.documentation}\n\n{key.example}", **_config_kind(key.kind)}


def _config_kind(kind: ConfigKind) -> Schema:
    code: Schema = {"$ref": "#/definitions/code"}
    match kind:
        case ConfigKind.CODES:
            return {"type": "array", "items": {"anyOf": [{"const": ALL}, code]}}
        case ConfigKind.SEVERITIES:
            severities: Schema = {"type": "string", "enum": list(SEVERITIES)}
            return {"type": "object", "propertyNames": code, "additionalProperties": severities}
        case ConfigKind.GLOBS | ConfigKind.FOLDERS | ConfigKind.FEATURES:
            return _TEXTS
        case ConfigKind.BOOLEAN:
            return {"type": "boolean"}
        case ConfigKind.DIALECT:
            return {"type": "string", "enum": list(DIALECT_NAMES)}
        case ConfigKind.OVERRIDES:
            override: Schema = {
                "type": "object",
                "properties": {key.name: _config_value(key) for key in OVERRIDE_KEYS},
                "required": [PATHS.name],
                "additionalProperties": False,
            }
            return {"type": "array", "items": override}
        case _:
            assert_never(kind)
