"""Compacts the history of a session: requests a summary from the model, which then replaces all earlier steps.

The request is no part of a turn: rules are not matched on its answer, and only the summary is on record.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.model.client import Model
from ttsr_ls.bridge.model.endpoint import ModelError
from ttsr_ls.bridge.model.request import ModelRequest
from ttsr_ls.bridge.wire.decoding import build_decoder
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.wire_events import Api, PartFinished, ResponseFinished, UsageReported, WireEvent, WireFailed
from ttsr_ls.session.projection.trimming import Trimming

REQUEST = """\
Write a summary of this conversation. It will replace the conversation, and you will continue from it alone. State what
the person asked for, what was done and found, which files were read or changed and how, decisions with their reasons,
what failed, and what remains to be done. Do not call tools. Answer with the summary only."""

INTRODUCTION = "This session continues an earlier conversation. Its summary:"
LAST_PROMPT = "The last prompt of the person, in full:"
_MAX_PROMPT_LENGTH = 20_000


class Summary(Struct, frozen=True):
    """A summary, and the tokens that it took."""

    text: str
    usage: Usage | None


class SummaryFailed(Struct, frozen=True):
    """The summary could not be made; `reason` says why, as a full sentence."""

    reason: str


class Summarizer:
    """Requests summaries. `offered` gives the tools of requests: some providers refuse calls of tools not offered."""

    def __init__(
        self, session: Session, api: Api, model: Model, system: str, offered: Callable[[], tuple[dict[str, Any], ...]]
    ) -> None:
        self._session = session
        self._api = api
        self._model = model
        self._system = system
        self._offered = offered

    async def summarize(self, instructions: str, trimming: Trimming | None) -> Summary | SummaryFailed:
        """Returns a summary of the history. `instructions` of a person add to the request; may be blank."""
        added = instructions.strip()
        text = f"{REQUEST}\n\nThe person adds: {added}" if added else REQUEST
        messages = tuple(self._session.messages_with(text, trimming))
        decoder = build_decoder(self._api, PurePosixPath("/"))
        kept_events: list[WireEvent] = []
        try:
            async with aclosing(self._model.stream(ModelRequest(messages, self._system, self._offered()))) as events:
                async for event in events:
                    kept_events += filter(_is_kept, decoder.feed(event))
        except ModelError as error:
            return SummaryFailed(str(error))
        kept_events += filter(_is_kept, decoder.finish())
        return _read(kept_events)


def _is_kept(event: WireEvent) -> bool:
    """Returns whether a summary is read from the event: deltas are left out, as an answer has thousands of them."""
    return isinstance(event, PartFinished | ResponseFinished | UsageReported | WireFailed)


def _read(events: list[WireEvent]) -> Summary | SummaryFailed:
    texts, stopped, usage = [], False, None
    for event in events:
        match event:
            case WireFailed():
                return SummaryFailed(event.message)
            case PartFinished(output=Text(text=text)):
                texts.append(text)
            case ResponseFinished():
                stopped = True
            case UsageReported():
                usage = event.usage
            case _:
                pass
    summary = "\n\n".join(texts).strip()
    if not stopped:
        return SummaryFailed("The stream ended before the summary did.")
    if not summary:
        return SummaryFailed("The model wrote no summary.")
    return Summary(summary, usage)


def summary_message(summary: str, prompt: str | None) -> str:
    """The message that replaces the history. It keeps `prompt`, the prompt of the current turn."""
    parts = [INTRODUCTION, summary]
    if prompt is not None:
        parts += [LAST_PROMPT, prompt[:_MAX_PROMPT_LENGTH]]
    return "\n\n".join(parts)
