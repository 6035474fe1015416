"""Finds rules that can never fire or never interrupt, because their fields exclude each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, RelatedLocation
from ttsr_ls.lint.fixes.entry_edits import remove_entry, rewrite_scalar_part
from ttsr_ls.lint.locations.placement import ACCOMPANYING
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.path_glob import path_globs
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.rules.rule import InterruptMode
from ttsr_ls.rules.stream import Source
from ttsr_ls.syntax.dialects.detection import dialect_of_path
from ttsr_ls.syntax.dialects.table import OMP
from ttsr_ls.syntax.rule_file import Entry, RuleFile, ScalarValue
from ttsr_ls.text import Span, first_line_span

# Keys that an author writes only for a rule that is meant to fire.
_TRIGGER_KEYS = (
    "condition", "ttsr_trigger", "ttsrTrigger", "astCondition", "question", "scope", "interruptMode",
)  # fmt: skip

# Keys that say, with one of the values below, that the rule is meant to fire.
_KIND_KEYS = ("type", "kind", "category", "ruleType", "rule_type", "rule-type")
_FIRING_KINDS = frozenset(("ttsr", "scope", "scoped", "trigger", "condition"))

_NEITHER = "It is dropped: it has neither `alwaysApply: true` nor a `description` either."


def check_globs(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports `globs` on a scope none of whose streams has a path (spec G1)."""
    rule = registration.rule
    if rule is None or not path_globs(rule.globs) or rule.scope.admits_source(Source.TOOL):
        return
    span = _value_span(file, "globs")
    scope = _entry(file, "scope")
    related = () if scope is None else (RelatedLocation("the scope", scope.value.span),)
    message = (
        "This rule never fires: `globs` requires a file path, but the scope admits only text and thinking, which "
        "have none. Remove `globs`, or add a tool such as `tool:edit` to the scope."
    )
    yield report("globs-on-prose", message, span, *remove_entry(file, "globs-on-prose", "globs"), related=related)


def check_interruption(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports an interrupt mode for streams that the scope does not admit (spec I1)."""
    rule = registration.rule
    if rule is None or rule.interrupt_mode not in (InterruptMode.PROSE_ONLY, InterruptMode.TOOL_ONLY):
        return
    if not (rule.conditions or rule.ast_conditions) or any(
        rule.scope.admits_source(source) and context.settings.interrupts(rule.interrupt_mode, source)
        for source in ((Source.TOOL,) if path_globs(rule.globs) else Source)
    ):
        return
    streams = "tools" if rule.interrupt_mode is InterruptMode.PROSE_ONLY else "text and thinking"
    message = (
        f"`interruptMode: {rule.interrupt_mode}` never applies, because the scope has only {streams}: the rule fires, "
        "but its body is injected only afterwards. Use `always`, or `never` for no interruption."
    )
    span = _value_span(file, "interruptMode")
    fixes = rewrite_scalar_part(file, "never-interrupts", span, str(rule.interrupt_mode), "always", "never")
    yield report("never-interrupts", message, span, *fixes)


def check_trigger(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports a rule that has no valid trigger although it was meant to have one, or that is not used at all
    (spec B1).
    """
    if registration.rule is not None or registration.bucket is Bucket.DISABLED or not file.body.value:
        return
    kind = _kind(file)
    given_entry = next((entry for name in _TRIGGER_KEYS if (entry := _entry(file, name)) is not None), kind)
    if given_entry is None and registration.bucket is not Bucket.DROPPED:
        return
    causes = {problem.code for problem in registration.problems}
    if "unreachable-scope" in causes:
        return
    # The finding about a single invalid condition is enough, unless the rule is now a part of every prompt.
    is_single = len(file.fields.conditions) == 1 and registration.bucket is not Bucket.ALWAYS
    if is_single and "regex-does-not-compile" in causes:
        return
    if file.frontmatter is None:
        if _is_loaded(context.location or file.path):
            message = (
                f"The file has no frontmatter, so the rule has no trigger. {_NEITHER} Write `alwaysApply: true` "
                "between two lines `---` above the text, or a `condition` on which it is to fire."
            )
            yield report("no-trigger", message, first_line_span(file.text))
        return
    span = file.frontmatter.entries[0].key_span if given_entry is None and file.frontmatter.entries else None
    if given_entry is not None:
        span = given_entry.key_span
    cause, advice = "The rule has no trigger.", "Add a `condition`."
    if given_entry is not None and given_entry is kind:
        cause = f"No agent reads `{kind.name}`, and the rule has no trigger."
    if file.fields.conditions:
        cause, advice = "None of the conditions is valid, so the rule has no trigger.", "Correct one of them."
    message = f"{cause} {_effect(registration.bucket)} {advice}"
    yield report("no-trigger", message, span or first_line_span(file.text))


def _kind(file: RuleFile) -> Entry | None:
    """Returns an entry such as `type: ttsr`, which says that the rule is meant to fire, and which no agent reads."""
    for entry in () if file.frontmatter is None else file.frontmatter.entries:
        match entry.value:
            case ScalarValue(text=text) if entry.name in _KIND_KEYS and text.value.strip().lower() in _FIRING_KINDS:
                return entry
    return None


def _is_loaded(path: str) -> bool:
    """Returns whether oh-my-pi loads rules from the file's folder, and the file is no README or the like."""
    return dialect_of_path(path) is OMP and PurePath(path).stem.lower() not in ACCOMPANYING


def _effect(bucket: Bucket) -> str:
    match bucket:
        case Bucket.ALWAYS:
            return "It is a part of every prompt instead (`alwaysApply`)."
        case Bucket.RULEBOOK:
            return "Only its description is listed in the prompt instead."
        case _:
            return _NEITHER


def _entry(file: RuleFile, name: str) -> Entry | None:
    return None if file.frontmatter is None else file.frontmatter.entry(name)


def _value_span(file: RuleFile, name: str) -> Span:
    entry = _entry(file, name)
    return first_line_span(file.text) if entry is None else entry.value.span
