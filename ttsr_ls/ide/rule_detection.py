"""Decides which documents are rule files. Other Markdown files are ignored.

A file is a rule file if a program in the table of dialects would load it as a rule, or if its frontmatter has a key
that only rules have; the latter covers shared rule folders and drafts in any location.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import PurePath

from ttsr_ls.ide.documents import Document
from ttsr_ls.syntax.dialects.detection import dialect_of_path, is_named_for_hookify, may_be_for_hookify
from ttsr_ls.syntax.dialects.locations import COPILOT_FILE, COPILOT_INSTRUCTIONS, RULE_SUFFIXES
from ttsr_ls.syntax.hookify.keys import HOOKIFY_KEYS, MAESTRO_KEYS
from ttsr_ls.syntax.inspection.key_names import suggest_key
from ttsr_ls.syntax.keys import FIRING_KEYS, KEYS
from ttsr_ls.syntax.metadata_keys import is_metadata
from ttsr_ls.syntax.pi.keys import PI_KEYS
from ttsr_ls.syntax.scope.tokens import STREAM_TOKENS

# The keys that make a rule fire, in every spelling that is read (spec F8).
_TRIGGER_KEY = re.compile(r"(?:condition|ast-?[cC]ondition|question|ttsr[_-]?[tT]rigger)[ \t]*:")
_INSTRUCTION_KEY = re.compile(r"applyTo[ \t]*:")
_HOOKIFY_KEY = re.compile(r"(?:pattern|conditions)[ \t]*:")
_KEY = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:")
# Keys that other Markdown files have as well.
_OF_OTHER_FILES = frozenset(("name", "description", "enabled", "scope"))
_RULE_KEYS = frozenset(
    spelling
    for key in (*KEYS, *PI_KEYS, *HOOKIFY_KEYS, *MAESTRO_KEYS)
    if key.name not in _OF_OTHER_FILES
    for spelling in key.spellings
) | {"paths", "applyTo"}
_STREAMS = re.compile(rf"scope[ \t]*:.*\b(?:{'|'.join(STREAM_TOKENS)})\b")
# A frontmatter is at most a few dozen lines; a long Markdown file must not be searched to its end on each keystroke.
_SEARCHED = 16_384


def is_rule_document(document: Document, rule_folders: Collection[str] = ()) -> bool:
    """Returns whether a document is a rule file. `rule_folders` are further folders with rules, by their absolute
    paths."""
    if is_in_rule_folder(document.path):
        return True
    is_in_named_folder = str(PurePath(document.path).parent) in rule_folders
    return _has_rule_suffix(document.path) and (
        is_in_named_folder
        or has_trigger_key(document.text)
        or is_misplaced_hookify_rule(document.path, document.text)
        or is_misnamed_instruction(document.path, document.text)
    )


def is_in_rule_folder(path: str) -> bool:
    """Returns whether a path names a Markdown file that some program loads as a rule."""
    pure = PurePath(path)
    if not pure.suffix or not _has_rule_suffix(path):
        return False
    if is_named_for_hookify(path):
        return True
    # Programs do not load a file with a suffix in capitals. It counts as a rule here, so that the linter reports that.
    return dialect_of_path(str(pure.with_suffix(pure.suffix.lower()))) is not None


def is_misplaced_hookify_rule(path: str, text: str) -> bool:
    """Returns whether a file has the name and keys of a hookify rule, in a folder that hookify does not read."""
    return may_be_for_hookify(path) and _has_key(text, _HOOKIFY_KEY)


def is_misnamed_instruction(path: str, text: str) -> bool:
    """Returns whether a file has the key or the name of Copilot's instructions, in the folder for them.

    Copilot reads a file there only if its name ends in `.instructions.md`.
    """
    pure = PurePath(path)
    is_in_folder = COPILOT_INSTRUCTIONS.contains_folder(pure.parts[:-1])
    has_name_or_key = pure.name.lower() == COPILOT_FILE or _has_key(text, _INSTRUCTION_KEY)
    return is_in_folder and _has_rule_suffix(path) and has_name_or_key


def has_trigger_key(text: str) -> bool:
    """Returns whether a text begins with frontmatter, finished or not, that has a key of the trigger family."""
    return _has_key(text, _TRIGGER_KEY)


def has_rule_key(text: str) -> bool:
    """Returns whether a text begins with frontmatter, finished or not, with a key that only rules have: of any
    dialect, or one that probably means a trigger.

    Other programs have Markdown files with frontmatter in folders called `rules`, too, such as ESLint in its
    documentation.
    """
    return any(_is_of_rule(line) for line in _frontmatter_lines(text))


def _is_of_rule(line: str) -> bool:
    match = _KEY.match(line)
    if match is None or is_metadata(match[1]):
        return False
    if match[1] in _RULE_KEYS or _STREAMS.match(line) is not None:
        return True
    suggestion = suggest_key(match[1])
    return suggestion is not None and suggestion.name in FIRING_KEYS


def _has_key(text: str, key: re.Pattern[str]) -> bool:
    return any(key.match(line) for line in _frontmatter_lines(text))


def _frontmatter_lines(text: str) -> Iterator[str]:
    head = text[:_SEARCHED].lstrip("\ufeff \t\r\n")
    if not head.startswith("---"):
        return
    for line in re.split(r"\r\n|\n|\r", head)[1:]:
        if line.startswith("---"):
            return
        yield line


def _has_rule_suffix(path: str) -> bool:
    # An untitled document has no suffix yet: its content decides.
    suffix = PurePath(path).suffix.lower()
    return suffix in RULE_SUFFIXES or not suffix
