"""Writes rules of omp."""

from __future__ import annotations

from ttsr_ls.convert.patterns import as_omp_condition
from ttsr_ls.convert.portable_rule import (
    ConversionError,
    FrontmatterEntry,
    GuidanceSpec,
    PortableRule,
    TriggerSpec,
    WrittenRule,
)
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode

_COMMENT = "<!--"


def to_omp(rule: PortableRule) -> WrittenRule:
    """Returns the rule for omp. Guidance that is not always part of the prompt is listed by its description."""
    if not rule.body:
        raise ConversionError("The rule has no body, and omp drops such a rule.")
    losses = list(rule.lost)
    match rule.activation:
        case TriggerSpec() as trigger_spec:
            entries = _trigger_entries(rule, trigger_spec, losses)
        case GuidanceSpec() as guidance_spec:
            entries = _guidance_entries(rule, guidance_spec, losses)
    if not rule.is_enabled:
        entries.append(("enabled", False))
    if _COMMENT in rule.body and "-->" in rule.body:
        losses.append("omp deletes the HTML comments in the body before it injects the body.")
    return WrittenRule(tuple(entries), rule.body, tuple(losses))


def _trigger_entries(rule: PortableRule, trigger_spec: TriggerSpec, losses: list[str]) -> list[FrontmatterEntry]:
    losses += trigger_spec.lost
    entries: list[FrontmatterEntry] = []
    if rule.description:
        entries.append(("description", rule.description))
    if trigger_spec.conditions:
        entries.append(("condition", _one_or_more(tuple(map(as_omp_condition, trigger_spec.conditions)))))
    if trigger_spec.ast_conditions:
        entries.append(("astCondition", _one_or_more(trigger_spec.ast_conditions)))
    if trigger_spec.question is not None:
        entries.append(("question", trigger_spec.question))
    if trigger_spec.scope:
        entries.append(("scope", ", ".join(trigger_spec.scope)))
    if trigger_spec.globs:
        entries.append(("globs", trigger_spec.globs))
    if trigger_spec.agents:
        entries.append(("agents", ", ".join(trigger_spec.agents)))
    if trigger_spec.interrupt_mode is not None:
        entries.append(("interruptMode", trigger_spec.interrupt_mode))
    if trigger_spec.max_firings > 1:
        times = (
            "as often as it matches"
            if trigger_spec.max_firings == float("inf")
            else f"{trigger_spec.max_firings:g} times"
        )
        losses.append(
            f"The rule fired {times} in a session. In omp, one setting for all rules (`ttsr.repeatMode`) decides "
            "whether a rule fires again; by default, it fires once."
        )
        if trigger_spec.cooldown > 0:
            losses.append(
                f"The pause of {trigger_spec.cooldown:g} seconds is left out: omp counts turns (`ttsr.repeatGap`)."
            )
    return entries


def _guidance_entries(rule: PortableRule, guidance_spec: GuidanceSpec, losses: list[str]) -> list[FrontmatterEntry]:
    if guidance_spec.activation is ActivationMode.NEVER:
        raise ConversionError("The rule neither fires nor is it ever in the prompt.")
    if guidance_spec.activation is ActivationMode.ALWAYS:
        entries: list[FrontmatterEntry] = [("description", rule.description)] if rule.description else []
        return [*entries, ("alwaysApply", True)]
    description = rule.description
    if description is None:
        description = f"Rules for {', '.join(guidance_spec.globs)}" if guidance_spec.globs else rule.name
        losses.append("The rule had no description; omp needs one, so a generated one was added.")
    if guidance_spec.activation is ActivationMode.FOR_FILES:
        losses.append("omp does not include a rule because of a file: the model requests it by its description.")
    if guidance_spec.activation is ActivationMode.MANUALLY:
        losses.append("The user had to mention the rule; omp also offers it to the model, by its description.")
    entries = [("description", description)]
    return [*entries, ("globs", guidance_spec.globs)] if guidance_spec.globs else entries


def _one_or_more(texts: tuple[str, ...]) -> str | tuple[str, ...]:
    return texts[0] if len(texts) == 1 else texts
