"""Reads a TOML file, which may be hostile, in bounded time.

`tomllib` takes time that grows with the square of the number of parts of a dotted key, so these are counted first.
"""

from __future__ import annotations

import re
from typing import Any

from ttsr_ls.errors import TtsrError

MAX_BYTES = 256 * 1024
"""The largest size of a configuration. `tomllib` reads about a megabyte in a second."""
MAX_PARTS = 32
"""The most parts of a dotted key; known keys have three at most."""
_TOO_LARGE = f"it is larger than {MAX_BYTES // 1024} KiB; a configuration needs a few lines"

_PART = r"""(?:[\w-]++|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+')"""
# Dots in texts and comments separate nothing. A text that is not closed ends with its line, or with the file.
_LONG_TEXT = r'"""(?:(?:\\.|[^\\])*?"""|.*)' + r"|'''(?:.*?'''|.*)"
_TOKEN = re.compile(rf"#[^\n]*+|{_LONG_TEXT}|(?P<key>(?:{_PART}[ \t]*+\.[ \t]*+)++)|{_PART}|[\"'][^\n]*+", re.DOTALL)
# A dot in quotes is a part of a name.
_DOT = re.compile(rf"{_PART}[ \t]*+\.")


_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)\Z")


class TomlError(TtsrError):
    """A TOML file cannot be read. The message says why, and begins with a small letter.

    `offset` is the position of the error, 0 if unknown; `reason` is the message without the position.
    """

    def __init__(self, message: str, reason: str | None = None, offset: int = 0) -> None:
        super().__init__(message)
        self.reason = message if reason is None else reason
        self.offset = offset


def read_toml(data: bytes) -> dict[str, Any]:
    """Returns the document in a file's bytes, which may begin with a byte order mark. Raises `TomlError`."""
    if len(data) > MAX_BYTES:
        raise TomlError(_TOO_LARGE)
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise TomlError("it is not UTF-8; save it as UTF-8", offset=error.start) from error
    return read_toml_text(text)


def read_toml_text(text: str) -> dict[str, Any]:
    """Returns the document of a text. Raises `TomlError`."""
    # Imported lazily: most projects have no configuration, and every command imports this module.
    import tomllib

    if len(text) > MAX_BYTES:
        raise TomlError(_TOO_LARGE)
    for match in _TOKEN.finditer(text):
        if match["key"] and sum(1 for _ in _DOT.finditer(match["key"])) >= MAX_PARTS:
            line = text.count("\n", 0, match.start()) + 1
            advice = f"has more than {MAX_PARTS} parts; write tables, such as [a.b]"
            raise TomlError(f"the key in line {line} {advice}", f"this key {advice}", match.start())
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(str(error), _PLACE.sub("", str(error)), _offset(text, str(error))) from error
    except RecursionError as error:
        raise TomlError("it is nested too deeply; write tables, such as [a.b]") from error
    except ValueError as error:  # Python limits the length of numbers.
        raise TomlError("it has a number with thousands of digits") from error


def _offset(text: str, message: str) -> int:
    """Returns the offset of an error of `tomllib`, which counts characters and lines after each line end became one
    character."""
    match = _PLACE.search(message)
    if match is None or match[1] is None:
        return len(text)
    start = 0
    for _ in range(int(match[1]) - 1):
        start = text.find("\n", start) + 1
    return min(start + int(match[2]) - 1, len(text))
