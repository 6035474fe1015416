"""Checks conditions on `transcript`, the file of the conversation: JSON lines, without blanks after colons."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.finding import Finding, Severity
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.hookify.rule_file import HookifyFile

_MAX_SHOWN = 40
_TOOLS = "Bash|Edit|MultiEdit|Write|NotebookEdit|Read|Glob|Grep|Task|WebFetch|WebSearch|TodoWrite"
_NAMES = rf"(?:\b(?:{_TOOLS})|\((?:\?:)?(?:{_TOOLS})(?:\|(?:{_TOOLS}))*\))"
_CALL = {"regex_match": re.compile(rf"{_NAMES}(?:\\s\*)?(?:\\\(|\[\(\])"), "": re.compile(rf"\b(?:{_TOOLS})\(")}
_SPACED_KEY = re.compile(r'"?\w+": (?!\*|\?|\+|\{)')


def check_transcripts(file: HookifyFile) -> Iterator[Finding]:
    """Reports patterns for the output of the terminal, or for JSON with blanks after colons."""
    for condition in file.conditions:
        if condition.field != "transcript" or condition.pattern_text is None:
            continue
        call = _CALL["regex_match" if condition.operator == "regex_match" else ""].search(condition.pattern)
        key = None if call is not None else _SPACED_KEY.search(condition.pattern)
        match = call or key
        if match is None:
            continue
        source = code(condition.pattern[match.start() : match.end()], _MAX_SHOWN)
        if call is not None:
            message = (
                f"{source} is a call as the terminal shows it, but a transcript is JSON, so this finds no call: there "
                f'it reads `"name":"Edit","input":{{"file_path":…`. Write `name":"(?:Edit|Write)`.'
            )
        else:
            message = (
                f"A transcript is JSON that Claude Code writes without blanks after its colons, so {source} finds "
                "nothing. Remove the blank."
            )
        span = condition.pattern_text.source_span(*match.span())
        yield report("hookify-misses-calls", message, span, severity=Severity.WARNING)
