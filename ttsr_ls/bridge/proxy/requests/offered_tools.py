"""Adds the tools of features to a request, after those of the client."""

from __future__ import annotations

from typing import Any

from msgspec import Raw

from ttsr_ls.bridge.proxy.requests.fragments import encoded_parts, encoded_value, list_parts, object_parts
from ttsr_ls.bridge.wire.fields import get_field, get_list, get_text
from ttsr_ls.bridge.wire.request_encoding import encode_tools
from ttsr_ls.session.hooks.feature_tools import FeatureTool
from ttsr_ls.session.output.wire_events import Api


def tool_names(fields: dict[str, Any]) -> frozenset[str]:
    """The names of the tools that a client offers, on any wire."""
    found = set()
    for tool in get_list(fields, "tools"):
        declared = get_list(tool, "functionDeclarations") or get_list(tool, "function_declarations")
        for item in declared or [get_field(tool, "function") or tool]:
            found.add(get_text(item, "name"))
    return frozenset(found - {""})


def with_tools(body: bytes, api: Api, tools: tuple[FeatureTool, ...]) -> bytes:
    """Adds tools to the request and keeps all other bytes. Raises RequestUnreadable."""
    if not tools:
        return body
    request = object_parts(body)
    more = encode_tools(api, tools)
    if api is Api.GEMINI:
        more = [{"functionDeclarations": more}]
    offers = [*list_parts(request.get("tools", Raw(b"[]"))), *map(encoded_value, more)]
    return bytes(encoded_parts({**request, "tools": encoded_parts(offers)}))
