"""Finds rules that no agent loads for where they are, or because a setting names them (semantics.md 1.6, 1.12)."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.engine.providers import BUILTIN, BUILTIN_RULES
from ttsr_ls.engine.registration import Bucket, Registration
from ttsr_ls.engine.settings_keys import DISABLED_EXTENSIONS, DISABLED_RULES
from ttsr_ls.engine.settings_layers import texts_of
from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Related
from ttsr_ls.lint.placement import misplaced
from ttsr_ls.syntax.detection import has_omp_trigger
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_SWITCHES = ((DISABLED_RULES, ""), (DISABLED_EXTENSIONS, "rule:"))


def check_placement(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a file that is not found where it is, or that git ignores (L14)."""
    ignoring = context.ignored_by
    if ignoring is not None:
        message = (
            f"This rule is never loaded: `{ignoring.pattern}` in {ignoring.path}, line {ignoring.line}, has git ignore "
            "the file, and oh-my-pi leaves out what git ignores. Except the file from the pattern, or move it."
        )
        yield _finding("not-discovered", message, file)
        return
    why = misplaced(context.location or file.path, fires=has_omp_trigger(file.frontmatter))
    if why is not None:
        yield _finding("not-discovered", f"This rule is never loaded. {why.reason} {why.remedy}", file)


def check_builtin(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a file that has the name of a rule that is built into the agent (L15)."""
    if file.name not in BUILTIN_RULES or context.provider == BUILTIN.id:
        return
    if registration.bucket is Bucket.DISABLED:
        message = (
            f"`enabled: false` switches off this file and not the rule `{file.name}` that is built into oh-my-pi: that "
            "one is loaded instead. To switch it off, list its name in the setting `ttsr.disabledRules`."
        )
        yield _finding("builtin-not-disabled", message, file)
    else:
        message = (
            f"oh-my-pi has a rule `{file.name}` built in, which this file replaces. Rename the file if you want both."
        )
        yield _finding("replaces-builtin", message, file)


def check_switched_off(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a rule whose name the project's own settings switch off (L16)."""
    for key, prefix in _SWITCHES:
        placed = context.layers.placed(key)
        if placed is None:
            continue
        path = placed.layer.file.path
        for text, item in texts_of(placed.value):
            name = text.strip() if key is DISABLED_RULES else text
            if name == f"{prefix}{file.name}":
                message = f"This rule does nothing: the setting `{key.name}` in {path} switches it off by its name."
                related = (Related("the setting", item.span, path),)
                yield _finding("switched-off", message, file, related)
                break


def _finding(code: str, message: str, file: RuleFile, related: tuple[Related, ...] = ()) -> Finding:
    first_line = Span(0, len(file.text.splitlines()[0]) if file.text else 0)
    return Finding(code, entry_of(code).severity, message, first_line, (), related)
