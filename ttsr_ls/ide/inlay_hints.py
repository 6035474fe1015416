"""Inlay hints in a rule file: its bucket, its streams and files, and the flags of its conditions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.ide.explain.condition import flags_text
from ttsr_ls.ide.explain.pi import obstacle_text
from ttsr_ls.ide.explain.values import FileList, WorkspaceFileList
from ttsr_ls.ide.markdown_renderer import plain_text
from ttsr_ls.lint.context import LintContext
from ttsr_ls.matching.ast.languages import language_names
from ttsr_ls.matching.ast.reach import AnyLanguage, reachable_languages
from ttsr_ls.matching.rule_file_filter import RuleFileFilter, admits_writes
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.dialects.dialect_profile import OMP as OMP_PROFILE
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.registration import Bucket, Registration, register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RefusalReason, RuleSet
from ttsr_ls.rules.scope import Scope
from ttsr_ls.syntax.dialects.detection import current_dialect_of
from ttsr_ls.syntax.dialects.file_roles import role_of, with_role
from ttsr_ls.syntax.dialects.table import OMP, PI_TTSR
from ttsr_ls.syntax.pi.pattern import FlagsError, read_flags
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_MAX_NAMES = 4
_MAX_LENGTH = 80
_BUCKETS = {
    Bucket.ALWAYS: "always: in every prompt",
    Bucket.RULEBOOK: "rulebook: listed by its description",
    Bucket.DROPPED: "dropped: no effect",
    Bucket.DISABLED: "disabled",
}

_IRRELEVANT_TO_FILES: dict[str, Any] = {
    "name": "", "path": "", "body": "", "description": None, "conditions": (), "ast_conditions": (), "question": None,
}  # fmt: skip
"""Default values for the fields of a rule on which its files do not depend."""


class RuleHint(Struct, frozen=True):
    """A hint: `label` is shown at `offset`, `tooltip` on demand. Both are plain text."""

    offset: int
    label: str
    tooltip: str


def rule_hints(file: RuleFile, context: LintContext, files: WorkspaceFileList, area: Span) -> tuple[RuleHint, ...]:
    """The hints within `area`, in order. `files` lists the files of the workspace. Empty for unknown dialects."""
    if file.frontmatter is None:
        return ()
    dialect = current_dialect_of(file.path, file.frontmatter)
    hints: list[RuleHint] = []
    if dialect is OMP:
        file = with_role(file, role_of(file.path))
        registration = register(file, context.provider)
        hints = [_bucket_hint(file, registration, context, files), *_condition_hints(file, registration.rule)]
    elif dialect is PI_TTSR:
        hints = list(_pi_hints(file))
    return tuple(sorted((hint for hint in hints if area.contains(hint.offset)), key=lambda hint: hint.offset))


def _bucket_hint(
    file: RuleFile, registration: Registration, context: LintContext, files: WorkspaceFileList
) -> RuleHint:
    assert file.frontmatter is not None
    offset = file.frontmatter.span.start + len("---")
    winner = next((rule for rule in context.load_order if rule.name == file.name), None)
    if winner is not None and winner.path != file.path and registration.bucket is not Bucket.DISABLED:
        return RuleHint(
            offset, f"shadowed by {_short(winner.path)}", "Of several rules with one name, the first is loaded."
        )
    decided = RuleSet.build((registration,), context.settings)
    refusal = next((refusal for refusal in decided.refusals if refusal.reason is not RefusalReason.OTHER_AGENT), None)
    if refusal is not None or registration.rule is None:
        bucket = registration.bucket if refusal is None else refusal.bucket
        reason = "" if refusal is None else f"It is matched on no stream: {refusal.reason}."
        return RuleHint(offset, _BUCKETS.get(bucket, str(bucket)), reason)
    rule = registration.rule
    parts = [f"ttsr: {', '.join(_streams(rule.scope))}", *_file_count(rule, files)]
    if rule.agents:
        parts.append(f"agents {_listed(rule.agents)}")
    tooltip = "The rule is matched on these streams. Its body is injected when it fires, and costs nothing before."
    return RuleHint(offset, " · ".join(parts), tooltip)


def _streams(scope: Scope) -> Iterator[str]:
    if scope.text:
        yield "text"
    if scope.thinking:
        yield "thinking"
    if scope.any_tool:
        yield "all tools"
    else:
        names = dict.fromkeys("all tools" if tool_scope.tool is None else tool_scope.tool for tool_scope in scope.tools)
        if names:
            yield _listed(tuple(names))


def _file_count(rule: Rule, files: WorkspaceFileList) -> Iterator[str]:
    """Yields how many files of the workspace the scope and the globs of a rule admit; nothing if no files are known."""
    if not admits_writes(rule) or rule.profile is not OMP_PROFILE:
        return
    listed = files()
    number = len(listed.names)
    if number:
        count = _reached(msgspec.structs.replace(rule, **_IRRELEVANT_TO_FILES), listed)
        more = "" if listed.is_complete else "+"
        yield f"{count:,}{more} of {number:,}{more} file{'' if number == 1 else 's'}"


# Cached: an editor requests hints at each keystroke, and mostly neither the scope nor the files have changed.
@lru_cache(4)
def _reached(rule: Rule, files: FileList) -> int:
    file_filter = RuleFileFilter((rule,))
    return sum(bool(file_filter.rules_for((name, name.rpartition("/")[2]))) for name in files.names)


def _condition_hints(file: RuleFile, rule: Rule | None) -> Iterator[RuleHint]:
    globs = {glob.span for glob in file.fields.shorthand_globs}
    for condition in file.fields.conditions:
        if condition.span not in globs:
            try:
                flags = compile_condition(condition.value).flags
            except RegexSyntaxError:
                continue
            letters = [
                letter
                for letter, is_set in (("i", flags.ignore_case), ("m", flags.multiline), ("s", flags.dot_all))
                if is_set
            ]
            if letters:
                yield RuleHint(condition.span.end, f"flags {', '.join(letters)}", plain_text(flags_text(flags)))
    languages = AnyLanguage() if rule is None else reachable_languages(rule)
    for pattern in file.fields.ast_conditions if rule is not None else ():
        languages_text = "any language" if isinstance(languages, AnyLanguage) else _listed(language_names(languages))
        tooltip = "The languages of the files that the scope and the globs let through."
        yield RuleHint(pattern.span.end, f"in {languages_text or 'no language'}", tooltip)


def _pi_hints(file: RuleFile) -> Iterator[RuleHint]:
    assert file.frontmatter is not None
    pi_file = read_pi_rule(file.text, name=file.name, path=file.path)
    obstacle = obstacle_text(register_pi(pi_file))
    label = f"ttsr: text, {pi_file.scope.value}" if obstacle is None else _BUCKETS[Bucket.DROPPED]
    tooltip = "A rule of pi-ttsr." if obstacle is None else f"A rule of pi-ttsr. {plain_text(obstacle)}"
    yield RuleHint(file.frontmatter.span.start + len("---"), label, tooltip)
    if pi_file.trigger is not None and pi_file.flags:
        try:
            letters = read_flags(pi_file.flags).letters
        except FlagsError:
            return
        yield RuleHint(pi_file.trigger.span.end, f"flags {', '.join(letters)}", "The flags of the trigger.")


def _listed(names: tuple[str, ...]) -> str:
    details = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return f"{', '.join(_short(name) for name in names[:_MAX_NAMES])}{details}"


def _short(text: str) -> str:
    return text if len(text) <= _MAX_LENGTH else f"…{text[-_MAX_LENGTH + 1 :]}"
