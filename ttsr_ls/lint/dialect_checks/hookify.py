"""What is wrong with a hookify rule: all of it loads, and much of it never fires."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Edit, Finding, Fix
from ttsr_ls.lint.scalars import single_quoted
from ttsr_ls.syntax.hook_keys import HOOKIFY_EVENTS
from ttsr_ls.syntax.hookify_file import HookifyFile, read_hookify
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_CODE = "hookify-never-matches"


def check_hookify(file: RuleFile) -> Iterator[Finding]:
    """Reports what keeps a rule from ever firing."""
    read = read_hookify(file.text, name=file.name, path=file.path)
    if not read.enabled or read.file.frontmatter is None:
        return
    event = read.file.value("event")
    if event is not None and read.event not in HOOKIFY_EVENTS:
        listed = ", ".join(f"`{known}`" for known in HOOKIFY_EVENTS)
        yield _finding(f"`event` is one of {listed}, so this rule never fires.", event.span)
    elif not read.conditions:
        message = "The rule has neither a `pattern` nor `conditions`, and without one it never fires."
        yield _finding(
            message, read.file.frontmatter.entries[0].key_span if read.file.frontmatter.entries else Span(0, 3)
        )
    elif read.is_simple and read.event in ("stop", "prompt"):
        message = (
            f"A `pattern` has nothing to look at when the event is `{read.event}`, so the rule never fires. Write "
            "`conditions` with a field: `transcript` for `stop`, `user_prompt` for `prompt`."
        )
        yield _finding(message, read.conditions[0].span)
    yield from _double_backslashes(read)


def _double_backslashes(read: HookifyFile) -> Iterator[Finding]:
    for condition in read.conditions:
        written = read.file.text[condition.span.start : condition.span.end]
        if condition.operator != "regex_match" or not written.startswith('"') or "\\\\" not in written:
            continue
        message = (
            "hookify takes the quotes away and leaves the backslashes as they are, so the pattern waits for a "
            "backslash in the text. Write it in single quotes, with each backslash once."
        )
        quoted = single_quoted(condition.pattern.replace("\\\\", "\\"))
        entry = entry_of(_CODE)
        fixes = () if quoted is None else (Fix(entry.fix_title, (Edit(condition.span, quoted),), entry.fix_safety),)
        yield Finding(_CODE, entry.severity, message, condition.span, fixes)


def _finding(message: str, span: Span) -> Finding:
    return Finding(_CODE, entry_of(_CODE).severity, message, span)
