"""What one agent's model is to see of the history, in no provider's spelling yet.

A call and its result are one value here and stand in the answer that made the call, in its order. So no provider's
messages can be without a result, out of order, or with text between them (spec V2 to V4).
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn_output import Image, RedactedThinking, SealedReasoning, ServerTool, Text, Thinking


class PromptMessage(Struct, frozen=True, gc=False):
    """A message that the model is sent. No part is blank."""

    role: Role
    parts: tuple[Text | Image, ...]


class Result(Struct, frozen=True, gc=False):
    """What the model is sent as the result of a call. `text` is not blank unless there are images.

    `host_text` is what the host says in front of the tool's own `text` and `images`; empty if it says nothing. A wire
    with blocks sends it as a block of its own. A `text` that contains a tag of the host always has one: so the host's
    words are where the result begins with a tag, and nowhere else.
    """

    text: str
    images: tuple[Image, ...]
    failed: bool
    host_text: str = ""

    @property
    def joined(self) -> str:
        """`host_text` and `text` as one string, for wires whose results are strings."""
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
    """What the model put out, in the order of its stream. No text is blank."""

    parts: tuple[Part, ...]

    @property
    def calls(self) -> tuple[CallWithResult, ...]:
        """The tool calls, in the order in which the model made them."""
        return tuple(part for part in self.parts if isinstance(part, CallWithResult))


Item = PromptMessage | AssistantMessage
