"""Checks the key that names the files of a guidance rule, and finds guidance rules without a body."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.dialect_checks.keys import WORDS_FOR_FILES, normalised_key
from ttsr_ls.lint.finding import Edit, Finding, Severity
from ttsr_ls.lint.fixes.entry_edits import write_entry
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.syntax.dialects.foreign_activation import intended_activation
from ttsr_ls.syntax.dialects.guidance_file import FILE_KEYS, ActivationMode, split_globs
from ttsr_ls.syntax.dialects.table import CLAUDE, GITHUB, WINDSURF, Dialect
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.rule_file import Entry, ListValue, ScalarValue
from ttsr_ls.text import Span, first_line_span

# https://docs.windsurf.com/windsurf/cascade/memories: "Rules files are limited to 12000 characters each."
_MAX_WINDSURF_LENGTH = 12_000


def check_guidance_files(file: PlainFile, dialect: Dialect) -> Iterator[Finding]:
    """Reports a missing or empty key for files, a list in the wrong form, and an empty rule."""
    name = FILE_KEYS[dialect.id]
    entry = None if file.frontmatter is None else file.frontmatter.entry(name)
    if not file.body.value.strip():
        message = "The rule has no body below the frontmatter, so it adds nothing to the prompt. Write the body there."
        if file.frontmatter is None:
            message = "The file is empty, so it adds nothing to the prompt. Write the rule, or delete the file."
        yield report("empty-body", message, first_line_span(file.text), severity=Severity.WARNING)
        if file.frontmatter is None:
            return
    if entry is not None and (mark := _mark_of_no_list(entry, file.text)):
        message = (
            f"YAML reads this as one text, because `{mark}` begins no item, so no file matches. Write a `-` and a "
            "blank before each item."
        )
        yield report("folded-list", message, entry.value.span, severity=Severity.WARNING)
    elif dialect is GITHUB:
        yield from _instructions(file, entry)
    elif dialect is WINDSURF:
        if file.value(name) is not None and file.value("trigger") is None and entry is not None:
            assert file.frontmatter is not None
            is_always = intended_activation(file.frontmatter) is ActivationMode.ALWAYS
            trigger = "always_on" if is_always else "glob"
            message = (
                "Without `trigger`, these globs have no effect, and the user has to mention the rule. Write "
                f"`trigger: {trigger}`."
            )
            edit = write_entry(file.text, entry, f"trigger: {trigger}")
            fixes = build_fixes("never-in-prompt", edit, title=f"Write trigger: {trigger}")
            yield report("never-in-prompt", message, entry.key_span, *fixes)
        yield from _description_alone(file)
        yield from _too_long(file)
    elif name == "paths" and entry is not None and file.failure is None and _is_empty(entry, dialect):
        message = (
            f"`{name}` has no value, so the key is ignored: {dialect.program} gives the rule to the model "
            "in every conversation. Write the files that the rule applies to, or remove the key."
        )
        yield report("empty-value", message, entry.key_span)


def _instructions(file: PlainFile, entry: Entry | None) -> Iterator[Finding]:
    """Reports instructions of GitHub Copilot that name no files, or name them in a list."""
    if entry is not None and split_globs(entry.value):
        if isinstance(entry.value, ListValue):
            message = (
                "VS Code reads no list here, so it does not attach these instructions automatically. Write one text, "
                "with commas between the globs: `applyTo: '**/*.ts,**/*.tsx'`."
            )
            fixes = build_fixes("wrong-value-type", _as_text(file.text, entry), title="Write one text")
            yield report("wrong-value-type", message, entry.value.span, *fixes)
        return
    frontmatter = file.frontmatter
    if frontmatter is not None and any(normalised_key(entry.name) in WORDS_FOR_FILES for entry in frontmatter.entries):
        # Another finding reports the key that is written instead, unless it is the key itself.
        if entry is None:
            return
    elif frontmatter is None and file.text.lstrip("\ufeff \t\r\n").startswith("---"):
        return
    mapped_text = file.text_value("description")
    if entry is None and mapped_text is not None and mapped_text.value.strip():
        # Visual Studio Code offers these by their description, and the agent decides.
        return
    message = (
        "Without `applyTo`, VS Code does not attach these instructions automatically; Copilot CLI adds them to every "
        "conversation. Write the files that they apply to: `applyTo: '**/*.ts'`, or `applyTo: '**'` for all."
    )
    yield report("never-in-prompt", message, first_line_span(file.text) if entry is None else entry.key_span)


def _as_text(text: str, entry: Entry) -> Edit | None:
    """Returns the edit that joins a list of globs to one text; None if it has comments, or commas within globs."""
    globs = [glob.value for glob in split_globs(entry.value)]
    span = Span(entry.key_span.end, entry.value.span.end)
    if "#" in text[span.start : span.end] or any(set(glob) & set(",'") or not glob.isprintable() for glob in globs):
        return None
    return Edit(span, f": '{','.join(globs)}'")


def _description_alone(file: PlainFile) -> Iterator[Finding]:
    """Reports a rule for Windsurf with a description, but without the `trigger` that makes the model decide by it."""
    frontmatter = file.frontmatter
    described = None if frontmatter is None else frontmatter.entry("description")
    if frontmatter is None or described is None or file.value("trigger") is not None:
        return
    is_for_files = any(normalised_key(each.name) in WORDS_FOR_FILES for each in frontmatter.entries)
    if is_for_files or frontmatter.entry("alwaysApply") is not None or _is_empty(described, WINDSURF):
        return  # Other findings report these keys.
    message = (
        "Without `trigger`, the description has no effect, and the user has to mention the rule. Write "
        "`trigger: model_decision`, or `trigger: always_on` for every conversation."
    )
    fixes = [
        fix
        for trigger in ("model_decision", "always_on")
        for fix in build_fixes(
            "never-in-prompt",
            write_entry(file.text, described, f"trigger: {trigger}"),
            title=f"Write trigger: {trigger}",
        )
    ]
    yield report("never-in-prompt", message, described.key_span, *fixes, severity=Severity.INFO)


def _too_long(file: PlainFile) -> Iterator[Finding]:
    """Reports a rule for Windsurf that is longer than the vendor allows."""
    length = len(file.text.rstrip())
    if length <= _MAX_WINDSURF_LENGTH:
        return
    message = (
        f"The file has {length:,} characters, but a rule of Windsurf may have {_MAX_WINDSURF_LENGTH:,}: the text from "
        "here on may be missing in the prompt. Split the rule, or shorten it."
    )
    line_end = file.text.find("\n", _MAX_WINDSURF_LENGTH + 1)
    span = Span(_MAX_WINDSURF_LENGTH, length if line_end < 0 else min(length, line_end))
    yield report("never-in-prompt", message, span)


def _is_empty(entry: Entry, dialect: Dialect) -> bool:
    match entry.value:
        case ListValue():
            return dialect is CLAUDE and not split_globs(entry.value)
        case ScalarValue(data=None):
            return True
        case ScalarValue(data=str() as text):
            return not text.strip()
        case _:
            return False


def _mark_of_no_list(entry: Entry, text: str) -> str | None:
    """Returns the mark of list items that YAML read as one text: `-` without a blank, or another mark."""
    if isinstance(entry.value, ListValue) or not isinstance(entry.value, ScalarValue):
        return None
    source = text[entry.value.span.start : entry.value.span.end]
    if source[:1] not in ("-", "•", "+") or source[1:2] == "-":
        return None
    return source[0]
