"""Compacts the history of a session: requests a summary from the model, which then replaces all earlier steps.

The request is no part of a turn: rules are not matched on its answer, and only the summary is on record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.model.client import Model
from ttsr_ls.bridge.model.endpoint import ModelError
from ttsr_ls.bridge.model.request import ModelRequest
from ttsr_ls.bridge.model.whole_answer import read_whole_answer
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.session.projection.trimming import Trimming

REQUEST = """\
Write a summary of this conversation. It will replace the conversation, and you will continue from it alone. State what
the user asked for, what was done and found, which files were read or changed and how, decisions with their reasons,
what failed, and what remains to be done. Do not call tools. Answer with the summary only."""

INTRODUCTION = "This session continues an earlier conversation. Its summary:"
LAST_PROMPT = "The last prompt of the user, in full:"
_MAX_PROMPT_LENGTH = 20_000


class Summary(Struct, frozen=True):
    """A summary, and the tokens that it took."""

    text: str
    usage: Usage | None


class SummaryFailed(Struct, frozen=True):
    """No summary could be generated; `reason` is a full sentence."""

    reason: str


class Summarizer:
    """Requests summaries. `offered` returns the tools of requests: some providers refuse calls of tools not offered."""

    def __init__(
        self, session: Session, api: Api, model: Model, system: str, offered: Callable[[], tuple[dict[str, Any], ...]]
    ) -> None:
        self._session = session
        self._api = api
        self._model = model
        self._system = system
        self._offered = offered

    async def summarize(self, instructions: str, trimming: Trimming | None) -> Summary | SummaryFailed:
        """Returns a summary of the history. `instructions` of the user are added to the request; may be blank."""
        added = instructions.strip()
        text = f"{REQUEST}\n\nThe user adds: {added}" if added else REQUEST
        messages = tuple(self._session.messages_with(text, trimming))
        request = ModelRequest(messages, self._system, self._offered())
        try:
            answer = await read_whole_answer(self._model, self._api, request, reads_usage=True)
        except ModelError as error:
            return SummaryFailed(str(error))
        if answer.failure is not None:
            return SummaryFailed(answer.failure)
        if not answer.is_complete:
            return SummaryFailed("The stream ended before the summary did.")
        summary = "\n\n".join(answer.texts).strip()
        return Summary(summary, answer.usage) if summary else SummaryFailed("The model wrote no summary.")


def summary_message(summary: str, prompt: str | None) -> str:
    """The message that replaces the history. It keeps `prompt`, the prompt of the current turn."""
    parts = [INTRODUCTION, summary]
    if prompt is not None:
        parts += [LAST_PROMPT, prompt[:_MAX_PROMPT_LENGTH]]
    return "\n\n".join(parts)
