"""The JSON schemas of tool arguments that models receive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct


def json_schema(kind: type[Struct]) -> Mapping[str, Any]:
    """Returns the schema of a type without nested types, without `$ref`: not every provider resolves references."""
    (schema,), components = msgspec.json.schema_components([kind])
    found: dict[str, Any] = dict(components[schema["$ref"].rpartition("/")[2]])
    # The name and the docstring of the type are not written for models.
    found.pop("title", None)
    found.pop("description", None)
    return found
