"""The address and settings of a model endpoint, and the messages for its errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import assert_never
from urllib.parse import quote

from msgspec import Struct

from ttsr_ls.errors import TtsrError, UsageError
from ttsr_ls.session.output.wire_events import Api

ANTHROPIC_URL = "https://api.anthropic.com"
OPENAI_URL = "https://api.openai.com/v1"
GEMINI_URL = "https://generativelanguage.googleapis.com/v1beta"

DEFAULT_MAX_TOKENS = 16_000

_BUSY = frozenset([408, 429, 500, 502, 503, 504, 529])
_SECONDS = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,6})?")


class ModelError(TtsrError):
    """A request to a model failed. The text is a full sentence and contains no key."""


class Timeouts(Struct, frozen=True):
    """Time limits in seconds: for the connection, for each further chunk, and for the whole answer.

    An answer that takes longer than `total` is aborted, even if it still streams.
    """

    connect: float = 15
    idle: float = 180
    total: float = 3600


class Retries(Struct, frozen=True):
    """The retries for a busy provider: their maximum number, and the first pause in seconds, which then doubles.

    If the provider sends `retry-after`, that is the pause. A pause of more than `longest` seconds ends the retries.
    """

    most: int = 4
    first: float = 1
    longest: float = 60

    def pause(self, status: int, retry_after: str | None, attempt: int) -> float | None:
        """Returns the seconds to wait after the `attempt`th refusal (from 0); None if a retry is useless."""
        if status not in _BUSY or attempt >= self.most:
            return None
        seconds_match = retry_after is not None and _SECONDS.fullmatch(retry_after.strip())
        seconds = float(seconds_match[0]) if seconds_match else self.first * 2**attempt
        return seconds if seconds <= self.longest else None


class Endpoint(Struct, frozen=True):
    """A model of a provider. `key_variable` names the environment variable with the key; None where there is no key.

    `answer_limit` is the most tokens of an answer, including its thinking; None means the provider's default, or
    `DEFAULT_MAX_TOKENS` if the provider requires a number.
    """

    api: Api
    base_url: str
    model: str
    key_variable: str | None
    answer_limit: int | None = None
    timeouts: Timeouts = Timeouts()
    retries: Retries = Retries()

    @property
    def url(self) -> str:
        """The address of requests."""
        base = self.base_url.rstrip("/")
        match self.api:
            case Api.ANTHROPIC:
                return f"{base.removesuffix('/v1')}/v1/messages"
            case Api.OPENAI_CHAT:
                return f"{base}/chat/completions"
            case Api.OPENAI_RESPONSES:
                return f"{base}/responses"
            case Api.GEMINI:
                model = quote(self.model.removeprefix("models/"), safe="")
                return f"{base}/models/{model}:streamGenerateContent?alt=sse"
        assert_never(self.api)

    @property
    def shown_url(self) -> str:
        """The address of requests without a user name and password."""
        return re.sub(r"//[^/?#]*@", "//", self.url)

    def key(self, environment: Mapping[str, str]) -> str | None:
        """Returns the key. Raises UsageError if the variable is not set, or its value cannot be sent in a header."""
        if self.key_variable is None:
            return None
        key = environment.get(self.key_variable, "").strip()
        if not key:
            raise UsageError(f"the environment variable {self.key_variable} is not set; it should hold the API key")
        if not key.isascii() or not key.isprintable():
            raise UsageError(f"what the environment variable {self.key_variable} holds cannot be an API key")
        return key
