"""Resolves plain scalars (YAML 1.2 core schema, spec F6), and scalars with a tag."""

from __future__ import annotations

import re

Scalar = str | int | float | bool | None

_CONSTANTS: dict[str, bool | None] = {
    "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"([-+]?)0o([0-7]+)")
_HEXADECIMAL = re.compile(r"([-+]?)0x([0-9a-fA-F]+)")
_MAX_INTEGER = 2**64 - 1  # greater octal and hexadecimal numbers stay text
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"([-+]?)\.(?:inf|Inf|INF)")
_NOT_A_NUMBER = frozenset((".nan", ".NaN", ".NAN"))


def resolve(text: str) -> Scalar:
    """Returns the value of a plain scalar without a tag."""
    if not text or text[0] not in "~nNtTfF+-.0123456789":
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _DECIMAL.fullmatch(text) or _FLOAT.fullmatch(text):
        return _number(text)
    if match := _OCTAL.fullmatch(text):
        return _unsigned(text, match, 8)
    if match := _HEXADECIMAL.fullmatch(text):
        return _unsigned(text, match, 16)
    if match := _INFINITY.fullmatch(text):
        return float(f"{match[1]}inf")
    return float("nan") if text in _NOT_A_NUMBER else text


def resolve_tagged(text: str, tag: str) -> Scalar:
    """Returns the value of a plain scalar with a tag: a core type keeps a matching value, every other tag makes a
    string.
    """
    value = resolve(text)
    match tag:
        case "!!bool":
            fits = isinstance(value, bool)
        case "!!int" | "!!float":
            fits = isinstance(value, int | float) and not isinstance(value, bool)
        case "!!null":
            fits = value is None
        case _:
            fits = False
    return value if fits else text


def tagged_empty(tag: str | None) -> Scalar:
    """Returns the value of a node without content, with or without a tag."""
    return "" if tag in ("!", "!!str") else None


def property_name(value: Scalar) -> str:
    """Returns the property name of a scalar key."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float():
            return str(int(value)) if value.is_integer() else str(value)
        case _:
            return str(value)


def _number(text: str) -> int | float:
    # Python limits the digits of an int conversion, and a float is what the reference has anyway.
    value = float(text)
    return int(value) if value.is_integer() and len(text) < 16 else value


def _unsigned(text: str, match: re.Match[str], base: int) -> int | str:
    value = int(match[2], base)
    if value > _MAX_INTEGER:
        return text
    return -value if match[1] == "-" else value
