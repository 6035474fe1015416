"""Checks a feature before a session uses it: its tools must be fit for a model, its time limit must be one."""

from __future__ import annotations

import re

import msgspec

from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.hooks.feature_tools import FeatureTool

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""The names of tools that all providers accept."""

MAX_TIMEOUT = 60.0
"""The longest time limit of a hook that a feature may set, in seconds."""


def find_feature_mistake(feature: Feature) -> str | None:
    """Returns why no session can use a feature, as the rest of a sentence about it; None if one can."""
    name, tools, timeout = feature.name, feature.tools, feature.timeout
    if not isinstance(name, str) or not name.strip():
        return "its name is not a text or is blank, and features need names"
    if not isinstance(tools, tuple) or not all(isinstance(tool, FeatureTool) for tool in tools):
        return "its tools are not a tuple of FeatureTool"
    for tool in tools:
        if not _can_be_offered(tool):
            return (
                f"its tool {str(tool.name)[:100]!r} has no name, description or schema that can be offered to a model"
            )
    if len({tool.name for tool in tools}) < len(tools):
        return "two of its tools have the same name"
    if not isinstance(timeout, int | float) or not 0 < timeout <= MAX_TIMEOUT:
        return f"its timeout is not between 0 and {MAX_TIMEOUT:g} seconds"
    return None


def _can_be_offered(tool: FeatureTool) -> bool:
    try:
        schema = msgspec.json.decode(msgspec.json.encode(tool.schema))
    except (TypeError, ValueError, RecursionError):
        return False
    is_object = isinstance(schema, dict) and schema.get("type") == "object"
    is_named = isinstance(tool.name, str) and TOOL_NAME.fullmatch(tool.name) is not None
    return is_object and is_named and isinstance(tool.description, str) and callable(tool.run)
