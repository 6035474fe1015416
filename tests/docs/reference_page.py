"""Makes docs/reference.md of the JSON Schemas: `python -m tests.docs.reference_page`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ttsr_ls.lint.config.json_schemas import config_schema, frontmatter_schema
from ttsr_ls.rule_tests.schema import case_file_schema
from ttsr_ls.syntax.dialects.table import OMP

PAGE = Path(__file__).parents[2] / "docs" / "reference.md"
_HEAD = """\
# Keys of rules, tests, and the configuration

This page is generated from the JSON Schemas that `ttsr-ls schema` prints; a test compares them.
[Dialects](dialects.md) has the keys of other dialects.
"""


def reference_page() -> str:
    """The text of the page."""
    return "\n".join(
        [
            _HEAD,
            *_section("Frontmatter of a rule", "ttsr-ls schema rule", _properties(frontmatter_schema(OMP))),
            *_section("Test file", "ttsr-ls schema test", _properties(case_file_schema())),
            *_section("A case of a test file", "ttsr-ls schema test", _case_properties()),
            *_section("Configuration", "ttsr-ls schema config", _properties(config_schema())),
        ]
    )


def _section(title: str, command: str, properties: dict[str, Any]) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"Schema: `{command}`.\n"
    yield "| key | value | |"
    yield "| --- | --- | --- |"
    for name, schema in properties.items():
        yield f"| `{name}` | {_value(schema)} | {_summary(schema)} |"
    yield ""


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in schema["properties"].items() if not item.get("deprecated")}


def _case_properties() -> dict[str, Any]:
    items = case_file_schema()["properties"]["invalid"]["items"]["anyOf"]
    case = next(item for item in items if item["type"] == "object")
    return _properties(case)


def _summary(schema: dict[str, Any]) -> str:
    """The first paragraph of the description, on one line."""
    text = str(schema.get("description", "")).split("\n\n")[0]
    return " ".join(text.split()).replace("|", "\\|")


def _value(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{item}`" for item in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_value(item) for item in schema["anyOf"]))
    kinds = schema.get("type", "any value")
    kinds = [kinds] if isinstance(kinds, str) else [kind for kind in kinds if kind != "null"]
    if kinds == ["array"]:
        return f"list of {_value(schema['items'])}" if "items" in schema and "$ref" not in schema["items"] else "list"
    return " or ".join(
        {"string": "text", "object": "keys", "boolean": "`true`, `false`", "integer": "number"}.get(k, k) for k in kinds
    )


if __name__ == "__main__":
    PAGE.write_text(reference_page(), encoding="utf-8")
