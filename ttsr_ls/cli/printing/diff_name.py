"""File names in the head of a diff, as git writes them (the option `core.quotePath` of git-config)."""

from __future__ import annotations

from ttsr_ls.cli.printing.terminal import one_line


def diff_name(name: str) -> str:
    """`name`, in quotes and with octal escapes where it could end its line or mean something to a terminal."""
    if one_line(name) == name and '"' not in name and "\\" not in name:
        return name
    return '"' + "".join(_quoted(byte) for byte in name.encode("utf-8", "surrogateescape")) + '"'


def _quoted(byte: int) -> str:
    char = chr(byte)
    if char in '"\\':
        return f"\\{char}"
    return char if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
