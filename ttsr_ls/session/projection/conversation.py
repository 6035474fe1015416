"""The conversation that one agent's model sees, independent of providers.

A call and its result are one value here, within the answer that made the call. So no provider's messages can lack a
result, have results out of order, or text between them (spec V2 to V4).
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn_output import Image, RedactedThinking, SealedReasoning, ServerTool, Text, Thinking


class PromptMessage(Struct, frozen=True, gc=False):
    """A message to the model. No part is blank."""

    role: Role
    parts: tuple[Text | Image, ...]


class Result(Struct, frozen=True, gc=False):
    """The result of a call, as sent to the model. `text` is not blank unless there are images.

    `host_text` is what the host injects in front of the tool's own `text` and `images`; empty if there is none. An API
    with blocks sends it as a block of its own. A `text` that contains a tag of the host always has a `host_text`: so a
    tag of the host is genuine at the start of a result, and nowhere else.
    """

    text: str
    images: tuple[Image, ...]
    failed: bool
    host_text: str = ""

    @property
    def joined(self) -> str:
        """The injected `host_text` and the tool's own `text` as one string, for APIs whose tool results are strings."""
        return "\n\n".join(text for text in (self.host_text, self.text) if text)


class CallWithResult(Struct, frozen=True, gc=False):
    """A tool call with its result. `id` is unique in the conversation, `arguments` the text of a JSON object."""

    id: str
    tool: str
    arguments: str
    result: Result
    thought_signature: str | None = None


Part = Text | Thinking | RedactedThinking | SealedReasoning | ServerTool | CallWithResult


class AssistantMessage(Struct, frozen=True, gc=False):
    """The output of the model, in stream order. No text is blank."""

    parts: tuple[Part, ...]

    @property
    def calls(self) -> tuple[CallWithResult, ...]:
        """The tool calls, in stream order."""
        return tuple(part for part in self.parts if isinstance(part, CallWithResult))


Item = PromptMessage | AssistantMessage
