"""Finds rules that no agent loads because of their location, or because a setting names them (spec B, D)."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, RelatedLocation
from ttsr_ls.lint.locations.placement import misplacement
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.providers import BUILTIN, BUILTIN_RULES
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.rules.settings.keys import DISABLED_EXTENSIONS, DISABLED_PROVIDERS, DISABLED_RULES
from ttsr_ls.rules.settings.layers import texts_in_list
from ttsr_ls.syntax.dialects.detection import has_omp_trigger
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import first_line_span


def check_placement(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a file in a location that is not searched, or that git ignores."""
    ignoring = context.ignored_by
    if ignoring is not None:
        message = (
            f"This rule is never loaded: `{ignoring.pattern}` in {ignoring.path}, line {ignoring.line}, makes git "
            "ignore the file, and oh-my-pi skips ignored files. Except the file from the pattern, or move it."
        )
        yield _finding("not-discovered", message, file)
        return
    reason = misplacement(context.location or file.path, fires=has_omp_trigger(file.frontmatter))
    if reason is not None:
        yield _finding("not-discovered", f"This rule is never loaded. {reason.reason} {reason.remedy}", file)


def check_builtin(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a file that replaces a rule that is built into the agent, or that fails to switch one off."""
    if file.name not in BUILTIN_RULES or context.provider == BUILTIN.id:
        return
    if registration.bucket is Bucket.DISABLED:
        message = (
            f"`enabled: false` switches off only this file: oh-my-pi then loads its built-in rule `{file.name}`. To "
            "switch that rule off, list its name in the setting `ttsr.disabledRules`."
        )
        yield _finding("builtin-not-disabled", message, file)
    else:
        message = (
            f"oh-my-pi has a rule `{file.name}` built in, which this file replaces. Rename the file if you want both."
        )
        yield _finding("replaces-builtin", message, file)


def check_switched_off(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a rule that the project's own settings disable by its name, or with its provider."""
    for key, suggestion, by in (
        (DISABLED_RULES, file.name, "by its name"),
        (DISABLED_EXTENSIONS, f"rule:{file.name}", "by its name"),
        (DISABLED_PROVIDERS, context.provider, f"with all rules of the provider `{context.provider}`"),
    ):
        setting = context.layers.effective(key)
        texts = () if setting is None else texts_in_list(setting.value)
        # Blanks around names of rules are ignored.
        names = ((text.strip() if key is DISABLED_RULES else text, item) for text, item in texts)
        item = next((item for name, item in names if name == suggestion), None)
        if setting is not None and item is not None:
            settings = setting.layer.file
            message = (
                f"This rule has no effect: the setting `{key.name}` in {settings.path}, line {settings.line_of(item)}, "
                f"switches it off {by}."
            )
            related = RelatedLocation("the setting", item.span, settings.path, settings.text)
            yield _finding("switched-off", message, file, (related,))


def _finding(code: str, message: str, file: RuleFile, related: tuple[RelatedLocation, ...] = ()) -> Finding:
    return report(code, message, first_line_span(file.text), related=related)
