"""What models put out and what tools made of it: the content of a turn's steps.

Pure values, no provider's spelling. Everything here is written to session logs: what is added later needs a default.
"""

from __future__ import annotations

from ttsr_ls.session.history.recorded import Recorded

# What a model put out, in the order of its stream.


class Image(Recorded, frozen=True):
    """A picture: its media type, as `image/png`, and its bytes in base64."""

    media_type: str
    data: str


class Text(Recorded, frozen=True, omit_defaults=True):
    """Prose for the person.

    `thought_signature`, here and below, is Google's: opaque, and must reach its models again with this part.
    """

    text: str
    thought_signature: str | None = None


class Thinking(Recorded, frozen=True, omit_defaults=True):
    """Reasoning. `signature` is opaque and must reach the provider again byte for byte; None where there is none."""

    text: str
    signature: str | None = None
    thought_signature: str | None = None


class RedactedThinking(Recorded, frozen=True):
    """Reasoning that an Anthropic model shows to nobody; `data` is opaque and must reach it again byte for byte."""

    data: str


class SealedReasoning(Recorded, frozen=True):
    """Reasoning of an OpenAI model: what it shows of it, and all of it sealed.

    `sealed` (`encrypted_content`) is opaque and must reach the provider again byte for byte.
    """

    id: str
    summary: tuple[str, ...]
    sealed: str


class ToolCall(Recorded, frozen=True, omit_defaults=True):
    """A tool call. `arguments` is its JSON text as streamed: whole or, in an aborted answer, as far as it came."""

    id: str
    tool: str
    arguments: str
    thought_signature: str | None = None


class ServerTool(Recorded, frozen=True):
    """A tool that the provider ran itself, with what came of it: neither can be without the other (spec H3).

    `result_type` is the provider's name for the block that holds the result, as `web_search_tool_result`. `arguments`
    and `result` are JSON texts; the result must reach the provider again as it came.
    """

    id: str
    tool: str
    arguments: str
    result_type: str
    result: str


Output = Text | Thinking | RedactedThinking | SealedReasoning | ToolCall | ServerTool


# What became of a tool call.


class CallPending(Recorded, frozen=True, tag="Pending"):
    """The call waits for its turn, or for somebody's permission."""


class CallRunning(Recorded, frozen=True, tag="Running"):
    """The call was handed to its tool."""


class CallDone(Recorded, frozen=True, tag="Done"):
    """The tool answered with `result`, and with pictures if any."""

    result: str
    images: tuple[Image, ...] = ()


class CallRefused(Recorded, frozen=True, tag="Refused"):
    """The tool or its permission failed; `result` is what the model was sent.

    `denied_by` is the feature that did not let the call run; None where it ran, or was refused otherwise.
    """

    result: str
    denied_by: str | None = None


class CallAbandoned(Recorded, frozen=True, tag="Abandoned"):
    """The call never got a result; `reason` says why."""

    reason: str


ToolState = CallPending | CallRunning | CallDone | CallRefused | CallAbandoned


class ToolItem(Recorded, frozen=True):
    """A call of a batch together with its state, so that neither can be without the other (spec H3).

    `reminders` are what the model is sent along with the result, in front of it. `arguments` is the JSON text that the
    call is run with where a feature changed its input; None: what the model gave.
    """

    call: str
    tool: str
    state: ToolState
    reminders: tuple[str, ...] = ()
    arguments: str | None = None
