"""Reads invalid frontmatter as Claude Code does: it quotes unquoted values and parses again."""

from __future__ import annotations

import re

from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile, read_plain

_LINE = re.compile(r"([A-Za-z_-]+):[ \t]+(\S[^\r\n]*)")
_SPECIAL = re.compile(r"[{}\[\]*&#!|>%@`]|: ")
_QUOTED = re.compile(r"\"[^\r\n]*\"|'[^\r\n]*'")
_END = re.compile(r"^---", re.MULTILINE)


def is_readable_by_claude(file: PlainFile) -> bool:
    """Returns whether the frontmatter is valid YAML once unquoted values with special characters, such as `**/*.ts`,
    are quoted.

    Only keys without indentation are treated so. Tried with version 2.1 of Claude Code.
    """
    end = _END.search(file.text, 3)
    if end is None:
        return False
    quoted = "\n".join(map(_quoted, file.text[: end.start()].split("\n")))
    return read_plain(quoted + file.text[end.start() :], name=file.name, path=file.path).failure is None


def _quoted(line: str) -> str:
    match = _LINE.match(line)
    if match is None or _QUOTED.fullmatch(match[2]) or not _SPECIAL.search(match[2]):
        return line
    value = match[2].replace("\\", "\\\\").replace('"', '\\"')
    return f'{match[1]}: "{value}"{line[match.end() :]}'
