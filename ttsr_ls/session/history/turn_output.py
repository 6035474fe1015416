"""The output of models and the results of tools: the content of a turn's steps.

Pure values, independent of providers. All of it is written to session logs, so a new field needs a default.
"""

from __future__ import annotations

from ttsr_ls.session.history.recorded_value import RecordedValue

# Output of a model, in the order of its stream.


class Image(RecordedValue, frozen=True):
    """A picture: its media type, as `image/png`, and its bytes in base64."""

    media_type: str
    data: str


class Text(RecordedValue, frozen=True, omit_defaults=True):
    """Prose for the user.

    `thought_signature`, here and below, is Google's: opaque, and must be sent back to its models with this part.
    """

    text: str
    thought_signature: str | None = None


class Thinking(RecordedValue, frozen=True, omit_defaults=True):
    """Reasoning. `signature` is opaque and must be sent back to the provider byte for byte; None if there is none."""

    text: str
    signature: str | None = None
    thought_signature: str | None = None


class RedactedThinking(RecordedValue, frozen=True):
    """Reasoning that an Anthropic model hides; `data` is opaque and must be sent back byte for byte."""

    data: str


class SealedReasoning(RecordedValue, frozen=True):
    """Reasoning of an OpenAI model: its visible summary, and the encrypted whole.

    `sealed` (`encrypted_content`) is opaque and must be sent back to the provider byte for byte.
    """

    id: str
    summary: tuple[str, ...]
    sealed: str


class ToolCall(RecordedValue, frozen=True, omit_defaults=True):
    """A tool call. `arguments` is its JSON text as streamed; in an interrupted answer, the received part."""

    id: str
    tool: str
    arguments: str
    thought_signature: str | None = None


class ServerTool(RecordedValue, frozen=True):
    """A tool that the provider ran itself, with its result: neither can exist without the other (spec H3).

    `result_type` is the provider's name for the block that holds the result, such as `web_search_tool_result`.
    `arguments` and `result` are JSON texts; the result must be sent back to the provider unchanged.
    """

    id: str
    tool: str
    arguments: str
    result_type: str
    result: str


Output = Text | Thinking | RedactedThinking | SealedReasoning | ToolCall | ServerTool


# States of tool calls.


class CallPending(RecordedValue, frozen=True, tag="Pending"):
    """The call waits for its turn, or for permission."""


class CallRunning(RecordedValue, frozen=True, tag="Running"):
    """The call was handed to its tool."""


class CallDone(RecordedValue, frozen=True, tag="Done"):
    """The tool returned `result`, and images if any."""

    result: str
    images: tuple[Image, ...] = ()


class CallRefused(RecordedValue, frozen=True, tag="Refused"):
    """The tool failed, or its permission was denied; `result` is what the model received.

    `denied_by` is the feature that prevented the call; None if it ran, or was refused otherwise.
    """

    result: str
    denied_by: str | None = None


class CallAbandoned(RecordedValue, frozen=True, tag="Abandoned"):
    """The call never got a result; `reason` says why."""

    reason: str


ToolState = CallPending | CallRunning | CallDone | CallRefused | CallAbandoned


class ToolItem(RecordedValue, frozen=True):
    """A call of a batch with its state, so that neither can exist without the other (spec H3).

    `reminders` are sent to the model in front of the result. `arguments` is the JSON text with which the call runs if a
    feature changed its input; None: the model's arguments.
    """

    call: str
    tool: str
    state: ToolState
    reminders: tuple[str, ...] = ()
    arguments: str | None = None
