"""Hovers for rule files, in Markdown."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.ide.explain.condition import condition_text
from ttsr_ls.ide.explain.pi import hover_text, limits_of, limits_text, scope_text, trigger_text
from ttsr_ls.ide.explain.rule_texts import description_text, question_text
from ttsr_ls.ide.explain.scope import scope_token_text, streams_text
from ttsr_ls.ide.explain.values import FileList, WorkspaceFileList, agent_text, ast_text, entry_value_text, glob_text
from ttsr_ls.ide.markdown import inline_code
from ttsr_ls.syntax.dialects.detection import current_dialect_of
from ttsr_ls.syntax.dialects.table import OMP, PI_TTSR
from ttsr_ls.syntax.keys import Key
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span


class Hover(Struct, frozen=True):
    """A hover: Markdown about `span`."""

    span: Span
    markdown: str


def hover_rule(file: RuleFile, offset: int, files: WorkspaceFileList = FileList) -> Hover | None:
    """Returns the hover at `offset`; None if there is none. `files` is used where globs are explained."""
    if file.frontmatter is None:
        return None
    dialect = current_dialect_of(file.path, file.frontmatter)
    for entry in file.frontmatter.entries:
        if entry.key_span.contains(offset):
            key = dialect.find_key(entry.key)
            return Hover(entry.key_span, _key_text(entry.key, key)) if key is not None else None
    if dialect is PI_TTSR:
        return _pi_value(file, offset)
    return _omp_value(file, offset, files) if dialect is OMP else None


def _omp_value(file: RuleFile, offset: int, files: WorkspaceFileList) -> Hover | None:
    for shorthand in file.fields.shorthand_globs:
        if shorthand.span.contains(offset):
            return Hover(shorthand.span, f"{_shorthand_text(shorthand)}\n\n{glob_text(shorthand.value, files)}")
    for condition in file.fields.conditions:
        if condition.span.contains(offset):
            text = condition_text(condition.value, condition.value_offset(offset))
            return Hover(condition.span, f"{text}\n\n{streams_text(file.fields)}")
    for token in file.fields.scope:
        if not token.inferred and token.text.span.contains(offset):
            text = scope_token_text(token)
            return Hover(token.text.span, f"{text}\n\n{glob_text(token.glob.value, files)}" if token.glob else text)
    return _plain_value(file, offset, files)


def _plain_value(file: RuleFile, offset: int, files: WorkspaceFileList) -> Hover | None:
    for glob in file.fields.globs:
        if glob.span.contains(offset):
            return Hover(glob.span, glob_text(glob.value, files))
    for pattern in file.fields.ast_conditions:
        if pattern.span.contains(offset):
            return Hover(pattern.span, ast_text(pattern.value))
    for agent in file.fields.agents:
        if agent.span.contains(offset):
            return Hover(agent.span, agent_text(agent.value))
    question = file.fields.question
    if question is not None and question.span.contains(offset):
        return Hover(question.span, question_text(file))
    for entry in file.frontmatter.entries if file.frontmatter is not None else ():
        if entry.name == "description" and file.fields.description and entry.value.span.contains(offset):
            return Hover(entry.value.span, description_text(file))
        if entry.value.span.contains(offset) and (text := entry_value_text(entry)) is not None:
            return Hover(entry.value.span, text)
    return None


def _pi_value(file: RuleFile, offset: int) -> Hover | None:
    """The hover of a value of a pi-ttsr rule: its trigger, flags, scope, and firing limits."""
    pi_file = read_pi_rule(file.text, name=file.name, path=file.path)
    texts = (
        ("trigger", hover_text(pi_file)),
        ("flags", trigger_text(pi_file)),
        ("scope", scope_text(pi_file.scope)),
        ("maxFirings", limits_text(limits_of(pi_file))),
        ("cooldown", limits_text(limits_of(pi_file))),
    )
    for key, text in texts:
        value = pi_file.file.value(key)
        if value is not None and value.span.contains(offset) and text:
            return Hover(value.span, text)
    return None


def _key_text(spelling: str, key: Key) -> str:
    kinds = " or ".join(key.kinds)
    title = f"**`{key.name}`**: {kinds}"
    if spelling != key.name:
        title += f" (written `{spelling}`)"
    values = f"\n\nValues: {', '.join(f'`{value}`' for value in key.values)}" if key.values else ""
    return f"{title}\n\n{key.documentation}{values}\n\nWithout it: {key.default}."


def _shorthand_text(glob: MappedText) -> str:
    scopes = " and ".join(inline_code(f"tool:{tool}({glob.value})") for tool in ("edit", "write"))
    return (
        f"{inline_code(glob.value)} is read as a **file glob**, not as a regular expression: it has a `/` or begins "
        "with `*.`, has one of `? * [ ] { }`, and none of `\\ ^ $ + | ( )`.\n\n"
        f"It stands for the scope {scopes}, and the rule fires on anything that is written to such a file unless "
        "another condition is given."
    )
