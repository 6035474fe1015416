"""The error of the YAML reader."""

from __future__ import annotations

from ttsr_ls.errors import TtsrError


class YamlError(TtsrError):
    """The text is not valid YAML. `offset` is the position of the error, in code points of the parsed text."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset
