"""A tool of the agent: its name, the type of its arguments, and its function.

A model supplies the arguments: for any arguments, the result is a text for the model.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from ttsr_ls.escaping import well_formed
from ttsr_ls.rules.tool_schema import json_schema
from ttsr_ls.typed_values import convert_value

Permission = Callable[[str], Awaitable[bool]]
"""Asks the user a yes-or-no question; False also if no user can be asked."""

Arguments = TypeVar("Arguments", bound=Struct)


class ToolOutcome(Struct, frozen=True):
    """The result of a call: the text for the model, and whether the call failed."""

    text: str
    failed: bool


class AgentTool(Struct, Generic[Arguments], frozen=True):
    """A tool. `run` may raise `ToolError`, whose text is for the model."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Arguments], Awaitable[str]]

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of the arguments."""
        return json_schema(self.arguments)

    async def call(self, arguments: str) -> ToolOutcome:
        """Runs a call. `arguments` is a JSON text; blank means none. Never raises for wrong arguments."""
        try:
            value = json.loads(arguments or "{}")
            read_arguments = convert_value(_encodable(value), self.arguments, strict=False)
        except (ValueError, RecursionError, msgspec.ValidationError) as error:
            names = ", ".join(field.encode_name for field in msgspec.structs.fields(self.arguments))
            return ToolOutcome(f"{self.name} cannot use these arguments: {str(error)[:300]}. It takes: {names}.", True)
        try:
            return ToolOutcome(await self.run(read_arguments), False)
        except ToolError as error:
            return ToolOutcome(str(error), True)


class ToolError(Exception):
    """The tool failed; the text is the reason for the model."""


def _encodable(value: Any) -> Any:
    """Returns the value with lone surrogates replaced: UTF-8 cannot encode them, so no file or request has them."""
    return json.loads(well_formed(json.dumps(value, ensure_ascii=False)))
