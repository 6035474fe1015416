"""The JSON Schema of test files, generated from the table of keys."""

from __future__ import annotations

from typing import Any, assert_never

from ttsr_ls.rule_tests.case import CaseKind
from ttsr_ls.rule_tests.keys import CHUNKS, DEFAULTS, INVALID_KEYS, STREAM_KEYS, TEXT, VALID_KEYS, CaseKey, ValueKind

CaseSchema = dict[str, Any]
_DRAFT = "http://json-schema.org/draft-07/schema#"
_ABOUT = {
    CaseKind.VALID: "Texts on which the rule stays silent.",
    CaseKind.INVALID: "Texts on which the rule fires.",
}


def case_file_schema() -> CaseSchema:
    """Returns the schema of `NAME.test.yml`."""
    return {
        "$schema": _DRAFT,
        "title": "Tests of a rule for coding agents",
        "type": "object",
        "properties": {
            DEFAULTS: {
                "description": "The stream of every case that does not name one itself.",
                "type": "object",
                "properties": _properties(STREAM_KEYS),
                "additionalProperties": False,
            },
            **{str(kind): _cases(kind) for kind in CaseKind},
        },
        "additionalProperties": False,
        "anyOf": [{"required": [str(kind)]} for kind in CaseKind],
    }


def _cases(kind: CaseKind) -> CaseSchema:
    keys = INVALID_KEYS if kind is CaseKind.INVALID else VALID_KEYS
    case = {
        "type": "object",
        "properties": _properties(keys),
        "additionalProperties": False,
        "oneOf": [{"required": [TEXT.name]}, {"required": [CHUNKS.name]}],
    }
    return {
        "description": _ABOUT[kind],
        "type": ["array", "null"],
        "items": {"anyOf": [{"type": "string"}, case]},
    }


def _properties(keys: tuple[CaseKey, ...]) -> CaseSchema:
    return {key.name: {"description": key.documentation, **_value(key)} for key in keys}


def _value(key: CaseKey) -> CaseSchema:
    match key.kind:
        case ValueKind.TEXT:
            return {"type": "string"} if key.values is None else {"type": "string", "enum": list(key.values)}
        case ValueKind.TEXTS:
            return {"type": "array", "items": {"type": "string"}}
        case ValueKind.NUMBER:
            return {"type": "integer", "minimum": 0}
        case _:
            assert_never(key.kind)
