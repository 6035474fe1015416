"""Validates reports against the schemas of the programs that read them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import xmlschema

SCHEMAS = Path(__file__).parents[1] / "schemas"

# From the table in GitLab's documentation of the format: what an issue must have, and the values that it may have.
_LINE = {"type": "integer", "minimum": 1}
_POINT = {"type": "object", "required": ["line", "column"], "properties": {"line": _LINE, "column": _LINE}}
_ISSUE = {
    "type": "object",
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "properties": {
        "description": {"type": "string", "minLength": 1},
        "check_name": {"type": "string", "minLength": 1},
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
        "location": {
            "type": "object",
            "required": ["path", "lines"],
            "properties": {
                "path": {"type": "string", "pattern": "^(?!\\./)"},
                "lines": {"type": "object", "required": ["begin"], "properties": {"begin": _LINE, "end": _LINE}},
                "positions": {"type": "object", "properties": {"begin": _POINT, "end": _POINT}},
            },
        },
    },
}
GITLAB = {"type": "array", "items": _ISSUE}


@cache
def _junit_schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd"))


@cache
def _sarif_validator() -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(json.loads((SCHEMAS / "sarif-2.1.0.json").read_text("utf-8")))


def assert_junit(text: str) -> None:
    _junit_schema().validate(text)


def assert_sarif(log: Any) -> None:
    errors = [f"{error.json_path}: {error.message}" for error in _sarif_validator().iter_errors(log)]
    assert errors == []


def assert_gitlab(issues: Any) -> None:
    jsonschema.validate(issues, GITLAB)
    fingerprints = [issue["fingerprint"] for issue in issues]
    assert len(fingerprints) == len(set(fingerprints))
