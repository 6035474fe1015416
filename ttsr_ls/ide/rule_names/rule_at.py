"""Finds the rule that is referred to at an offset of an open document.

A rule file does not contain its own name. The line that opens its frontmatter and its trigger keys represent it: they
are the targets of references, and have the lenses.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.ide.analysis import read_document
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.rule_names.file_names import rule_file_name
from ttsr_ls.ide.rule_names.mentions import find_mentions
from ttsr_ls.ide.structure.rule_links import rule_links
from ttsr_ls.rule_tests.case_file_names import is_case_file, rule_stem
from ttsr_ls.syntax.rule_file import RuleFile, ScalarValue
from ttsr_ls.text import Span

TRIGGER_KEYS = ("condition", "astCondition", "question", "trigger", "ttsr_trigger", "ttsrTrigger")
_TEST_KEY = re.compile(r"^(?:valid|invalid|defaults)(?=[ \t]*:)", re.MULTILINE)


class RuleAtOffset(Struct, frozen=True):
    """A reference to a rule at `span`. `is_own` is true if the document is the rule, or its tests."""

    name: str
    span: Span
    is_own: bool


def rule_at(document: Document, offset: int, *, is_rule: bool) -> RuleAtOffset | None:
    """Returns the rule whose name is at an offset. `is_rule` says whether the document is a rule file."""
    if is_case_file(document.path):
        keys = (Span(*match.span()) for match in _TEST_KEY.finditer(document.text))
        name = PurePath(rule_stem(document.path)).name
        return next((RuleAtOffset(name, span, is_own=True) for span in keys if span.contains(offset)), None)
    if is_rule:
        spans = spans_naming_own_rule(read_document(document))
        own_span = next((span for span in spans if span.contains(offset)), None)
        if own_span is not None:
            return RuleAtOffset(document.rule_name, own_span, is_own=True)
    for link in rule_links(document.text) if is_rule else ():
        if link.span.contains(offset):
            return RuleAtOffset(link.name, Span(link.span.end - len(link.name), link.span.end), is_own=False)
    found = find_mentions(document.text, document.path, is_rule=is_rule)
    return next(
        (RuleAtOffset(mention.name, mention.span, is_own=False) for mention in found if mention.span.contains(offset)),
        None,
    )


def spans_naming_own_rule(file: RuleFile) -> tuple[Span, ...]:
    """Returns the spans in a rule file that represent the rule, in order."""
    if file.frontmatter is None:
        return ()
    start = file.frontmatter.span.start
    delimiter = Span(start, start + len("---"))
    keys = (file.frontmatter.entry(key) for key in TRIGGER_KEYS)
    name = own_name_span(file)
    spans = (delimiter, *(entry.key_span for entry in keys if entry is not None), *(() if name is None else (name,)))
    return tuple(sorted(spans))


def own_name_span(file: RuleFile) -> Span | None:
    """The value of the key `name`, where it is the name that the rule has by its file."""
    entry = None if file.frontmatter is None else file.frontmatter.entry("name")
    parts = rule_file_name(file.path)
    if entry is None or not isinstance(entry.value, ScalarValue) or parts is None:
        return None
    text = entry.value.text
    return text.source_span(0, len(text.value)) if text.value in (file.name, parts.name) else None
