"""The error of the YAML reader."""

from __future__ import annotations

from ttsr_ls.errors import TtsrError


class YamlError(TtsrError):
    """The text is not YAML. `offset` is where that shows, in code points of the text that was parsed."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset
