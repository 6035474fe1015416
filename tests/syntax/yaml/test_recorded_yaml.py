"""YAML is read as the reference agent's runtime reads it (recorded answers)."""

from __future__ import annotations

import math
from typing import Any

from tests.syntax.reader_vectors import recorded_yaml
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import ListValue, MapValue, ScalarValue, Value
from ttsr_ls.syntax.yaml.document import parse_yaml
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.text import Span


def read(text: str) -> Any:
    try:
        return {"value": plain(parse_yaml(MappedText.verbatim(text, Span(0, len(text)))))}
    except YamlError:
        return {"invalid": True}


def plain(value: Value) -> Any:
    """As the recorder writes values: infinities by name, a map as pairs."""
    match value:
        case ScalarValue(data=float() as data) if math.isnan(data) or math.isinf(data):
            return {"number": "NaN" if math.isnan(data) else "Infinity" if data > 0 else "-Infinity"}
        case ScalarValue(data=data):
            return data
        case ListValue(items=items):
            return [plain(item) for item in items]
        case MapValue(entries=entries):
            return {
                "map": sorted({entry.key: plain(entry.value) for entry in entries}.items(), key=lambda pair: pair[0])
            }


def in_order(answer: Any) -> Any:
    """ECMAScript puts number-like keys first; the order of keys does not matter here."""
    match answer:
        case {"map": pairs}:
            return {"map": sorted(((key, in_order(value)) for key, value in pairs), key=lambda pair: pair[0])}
        case {"value": value}:
            return {"value": in_order(value)}
        case [*items]:
            return [in_order(item) for item in items]
        case _:
            return answer


def test_recorded_yaml_texts_are_read_as_by_the_runtime() -> None:
    texts = list(recorded_yaml())
    assert len(texts) > 7000
    assert not [(text, read(text), answer) for text, answer in texts if read(text) != in_order(answer)]


def test_many_recorded_yaml_texts_are_valid_and_many_are_not() -> None:
    valid = ["value" in answer for _, answer in recorded_yaml()]
    assert min(valid.count(True), valid.count(False)) > 2000
