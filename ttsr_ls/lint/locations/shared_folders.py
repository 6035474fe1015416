"""Distinguishes rules of oh-my-pi from the files of other programs in shared folders.

oh-my-pi reads `.agent/rules` and `.agents/rules`. So does Antigravity, and agent frameworks keep plain texts there.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from ttsr_ls.rules.providers import AGENTS
from ttsr_ls.syntax.dialects.detection import has_omp_trigger
from ttsr_ls.syntax.dialects.locations import contains
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.syntax.scope.tokens import STREAM_TOKENS

_SIGNS = frozenset(("condition", "astcondition", "question", "interruptmode", "ttsrtrigger"))
_NOT_IN_SIGNS = re.compile("[-_ ]|s$")
_STREAM = re.compile(rf"\b(?:{'|'.join(STREAM_TOKENS)})\b", re.IGNORECASE)
_KEY_LINE = re.compile(r"^(?:condition|astCondition|ast-condition|interruptMode|ttsr_trigger)[ \t]*:", re.MULTILINE)
_HEAD = 2_000
"""How many characters of a file without frontmatter are searched for keys of a rule."""


def is_of_another_program(file: RuleFile, path: str) -> bool:
    """Returns whether a file is in a shared folder and has no trigger key of oh-my-pi, not even a misspelt one.

    It is no defect that oh-my-pi ignores such a file, unless it is clearly meant for oh-my-pi.
    """
    folders = PurePath(path).parts[:-1]
    if not any(contains(folders, location.folders) for location in AGENTS.project):
        return False
    if file.frontmatter is None:
        return _KEY_LINE.search(file.text[:_HEAD]) is None
    if has_omp_trigger(file.frontmatter):
        return False
    return not any(_is_sign(entry.key, file, entry.value.span.start) for entry in file.frontmatter.entries)


def _is_sign(key: str, file: RuleFile, value_start: int) -> bool:
    """Returns whether a key is a spelling of a trigger key of oh-my-pi, or a scope that names a stream."""
    if key == "scope":
        return _STREAM.search(file.text, value_start, value_start + 200) is not None
    return _NOT_IN_SIGNS.sub("", key.lower()) in _SIGNS
