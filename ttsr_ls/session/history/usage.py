"""Token usage of model answers as providers report it, in one set of units for all of them.

Pure values that are written to session logs: a field that is added later needs a default.
"""

from __future__ import annotations

from ttsr_ls.session.history.recorded_value import RecordedValue

MAX_TOKENS = 2**48
"""No count is read as more than this, so that sums stay exact in every JSON parser."""


class Usage(RecordedValue, frozen=True):
    """Tokens of one answer, or of several.

    `input_tokens` are those of the prompt that were neither read from the provider's cache nor written to it, so no
    token is counted twice. `output_tokens` include the thinking.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    @property
    def prompt_tokens(self) -> int:
        """All tokens of the prompt, which is the size of the context when the request was sent."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )

    def __sub__(self, other: Usage) -> Usage:
        """Returns the usage since `other`, an earlier sum."""
        return Usage(
            self.input_tokens - other.input_tokens,
            self.output_tokens - other.output_tokens,
            self.cache_read_tokens - other.cache_read_tokens,
            self.cache_write_tokens - other.cache_write_tokens,
        )


NO_USAGE = Usage()
