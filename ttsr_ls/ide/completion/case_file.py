"""Completion in test files: a whole file, the keys of the file and of a case, and values.

The lines alone decide where the cursor is: while a user types, the file is rarely valid YAML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ttsr_ls.ide.completion.case_values import case_value_at, case_values
from ttsr_ls.ide.completion.completion import Completion, CompletionKind, WorkspaceFileNames
from ttsr_ls.ide.completion.plain_snippet import snippet_literal
from ttsr_ls.ide.template_language import template_language
from ttsr_ls.rule_tests.case import CaseKind
from ttsr_ls.rule_tests.keys import CHUNKS, DEFAULTS, INVALID_KEYS, STREAM_KEYS, TEXT, TOOL, VALID_KEYS, CaseKey
from ttsr_ls.rules.rule import Rule
from ttsr_ls.syntax.scope.tool_names import KNOWN_TOOLS
from ttsr_ls.text import LineIndex, Span

_TEXTS = """\
valid:                    # the rule stays silent
  - '${1:a text on which the rule stays silent}'
invalid:                  # the rule fires
  - '${2:a text on which the rule fires}'
"""
_TEXTS_OF_A_FILE = """\
defaults: {path: ${1:{path}}\\}  # the file that the agent writes
valid:                    # the rule stays silent
  - '${2:a text on which the rule stays silent}'
invalid:                  # the rule fires
  - '${3:a text on which the rule fires}'
"""
_WHOLE_FILES = {"tests: texts of the agent": _TEXTS, "tests: what the agent writes to a file": _TEXTS_OF_A_FILE}
_TOP_KEYS = {
    str(CaseKind.VALID): ("valid:\n  - '${1}'", "Texts on which the rule stays silent."),
    str(CaseKind.INVALID): ("invalid:\n  - '${1}'", "Texts on which the rule fires."),
    DEFAULTS: ("defaults: {path: ${1:{path}}\\}", "The stream of every case that does not name one itself."),
}
_KEYS_OF = {str(CaseKind.VALID): VALID_KEYS, str(CaseKind.INVALID): INVALID_KEYS, DEFAULTS: STREAM_KEYS}
_TOP_KEY = re.compile(r"([\w-]+)[ \t]*:")
_WORD = re.compile(r"[\w-]*")
_LAST_WORD = re.compile(r"[\w-]*\Z")
_ANY_KEY = re.compile(r"(?:^|[{,])[ \t]*(?:-[ \t]+)?([\w-]+)[ \t]*:(?=[ \t]|$)")
_KEY_PLACE = re.compile(r"[ \t]*(?:-[ \t]+)?")
_VALUE_PLACE = re.compile(r"(?:[ \t]*(?:-[ \t]+)?|.*[{,][ \t]*)([\w-]+):[ \t]+")
_KEY_START = re.compile(r" *(?:- +(?=[\w-]+:))?")
_BLOCK = re.compile(r".*[|>][+-]?[0-9]?[ \t]*(?:#.*)?")
_MAX_LINES = 400
_MAX_LENGTH = 2000
"""The most lines above the cursor that are read, and the most characters before it on its line."""


def complete_case_file(
    index: LineIndex,
    offset: int,
    files: WorkspaceFileNames = tuple,
    read_rule: Callable[[], Rule | None] = lambda: None,
) -> tuple[Completion, ...]:
    """Returns the completions at `offset` of a test file.

    `files` lists the files of the workspace, `read_rule` returns the tested rule, None if there is none. Both are slow,
    and called only for completions that depend on them.
    """
    if not index.text.strip():
        return tuple(_whole_files(Span(0, len(index.text)), files()))
    line = index.position(offset).line
    before = index.text[index.line_span(line).start : offset]
    if len(before) > _MAX_LENGTH:
        return ()
    above = [index.line_text(number) for number in range(max(line - _MAX_LINES, 0), line)]
    word = _LAST_WORD.search(before)
    typed = "" if word is None else word[0]
    span = Span(offset - len(typed), offset)
    if _WORD.fullmatch(before):
        return tuple(_top_keys(index, line, span, files()))
    section = next((found[1] for text in (before, *reversed(above)) if (found := _TOP_KEY.match(text))), "")
    keys = _KEYS_OF.get(section, ())
    head = before[: len(before) - len(typed)]
    if _is_in_block(before, above):
        return ()
    text = index.line_text(line)
    if (value := case_value_at(text, len(before))) is not None:
        is_key = any(key.name == value.key for key in keys)
        return tuple(case_values(value, text, offset - len(before), read_rule(), files)) if is_key else ()
    if (place := _VALUE_PLACE.fullmatch(head)) is not None:
        return tuple(_values(next((key for key in keys if key.name == place[1]), None), span))
    if _is_key_place(head, section):
        return tuple(_case_keys(keys, _keys_of_case(head, above), span))
    return ()


def _whole_files(span: Span, files: Iterable[str]) -> Iterator[Completion]:
    path = snippet_literal(template_language(files).path)
    for label, snippet in _WHOLE_FILES.items():
        text = snippet.replace("{path}", path)
        yield Completion(CompletionKind.RULE, label, text, span, "A template of a test file.", is_snippet=True)


def _top_keys(index: LineIndex, line: int, span: Span, files: Iterable[str]) -> Iterator[Completion]:
    lines = (index.line_text(number) for number in range(min(index.line_count, _MAX_LINES)) if number != line)
    existing_keys = {found[1] for text in lines if (found := _TOP_KEY.match(text))}
    path = snippet_literal(template_language(files).path)
    has_value = ":" in index.line_text(line)
    for name, (snippet, documentation) in _TOP_KEYS.items():
        if name not in existing_keys:
            text = name if has_value else snippet.replace("{path}", path)
            yield Completion(CompletionKind.KEY, name, text, span, documentation, is_snippet=not has_value)


def _case_keys(keys: Iterable[CaseKey], existing_keys: set[str], span: Span) -> Iterator[Completion]:
    texts = {TEXT.name, CHUNKS.name}
    for key in keys:
        # A case has only one of the two.
        if key.name not in existing_keys and not (key.name in texts and existing_keys & texts):
            yield Completion(CompletionKind.KEY, key.name, f"{key.name}: ", span, key.documentation)


def _values(key: CaseKey | None, span: Span) -> Iterator[Completion]:
    if key is not None:
        for value in sorted(KNOWN_TOOLS) if key == TOOL else key.values or ():
            yield Completion(CompletionKind.VALUE, value, value, span, key.documentation)


def _is_key_place(head: str, section: str) -> bool:
    """Returns whether a key may follow `head`: at the beginning of a line or of a case, or in braces."""
    if _KEY_PLACE.fullmatch(head):
        # `defaults` has no list.
        return section != DEFAULTS or "-" not in head
    opened = head.rfind("{")
    return opened > head.rfind("}") and head.rstrip()[-1] in "{," and head.count("'") % 2 == 0


def _keys_of_case(head: str, above: list[str]) -> set[str]:
    """The keys of the case at the cursor that are above it."""
    if "{" in head:
        return set(_ANY_KEY.findall(head[head.rfind("{") :]))
    found: set[str] = set()
    if "-" in head:
        return found
    indent = len(head)
    for text in reversed(above):
        stripped = text.lstrip(" ")
        depth = len(text) - len(stripped)
        starts_case = stripped.startswith("- ") and depth < indent
        if starts_case or depth == indent:
            found.update(_ANY_KEY.findall(text))
        if starts_case or (stripped and depth == 0):
            break
    return found


def _is_in_block(before: str, above: list[str]) -> bool:
    """Returns whether the cursor is in the lines of a text behind `|` or `>`."""
    indent = len(before) - len(before.lstrip(" "))
    for text in reversed(above):
        start = _KEY_START.match(text)
        if text.strip() and start is not None and start.end() < indent:
            return _BLOCK.fullmatch(text[:_MAX_LENGTH]) is not None and not text.lstrip().startswith("#")
    return False
