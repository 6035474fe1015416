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
        raise ConversionError("The rule has no text to tell the agent, and omp drops such a rule.")
    lost = list(rule.lost)
    match rule.activation:
        case TriggerSpec() as firing:
            entries = _firing(rule, firing, lost)
        case GuidanceSpec() as telling:
            entries = _telling(rule, telling, lost)
    if not rule.is_enabled:
        entries.append(("enabled", False))
    if _COMMENT in rule.body and "-->" in rule.body:
        lost.append("omp deletes the HTML comments in the body before it injects the body.")
    return WrittenRule(tuple(entries), rule.body, tuple(lost))


def _firing(rule: PortableRule, firing: TriggerSpec, lost: list[str]) -> list[FrontmatterEntry]:
    lost += firing.lost
    entries: list[FrontmatterEntry] = []
    if rule.description:
        entries.append(("description", rule.description))
    if firing.conditions:
        entries.append(("condition", _one_or_more(tuple(map(as_omp_condition, firing.conditions)))))
    if firing.ast_conditions:
        entries.append(("astCondition", _one_or_more(firing.ast_conditions)))
    if firing.question is not None:
        entries.append(("question", firing.question))
    if firing.scope:
        entries.append(("scope", ", ".join(firing.scope)))
    if firing.globs:
        entries.append(("globs", firing.globs))
    if firing.agents:
        entries.append(("agents", ", ".join(firing.agents)))
    if firing.interrupt_mode is not None:
        entries.append(("interruptMode", firing.interrupt_mode))
    if firing.max_firings > 1:
        times = "as often as it matches" if firing.max_firings == float("inf") else f"{firing.max_firings:g} times"
        lost.append(
            f"The rule fired {times} in a session. In omp one setting for all rules (`ttsr.repeatMode`) says whether a "
            "rule fires again: by default it fires once."
        )
        if firing.cooldown > 0:
            lost.append(f"The pause of {firing.cooldown:g} seconds is left out: omp counts turns (`ttsr.repeatGap`).")
    return entries


def _telling(rule: PortableRule, telling: GuidanceSpec, lost: list[str]) -> list[FrontmatterEntry]:
    if telling.activation is ActivationMode.NEVER:
        raise ConversionError("The rule neither fires nor is it ever in the prompt.")
    if telling.activation is ActivationMode.ALWAYS:
        entries: list[FrontmatterEntry] = [("description", rule.description)] if rule.description else []
        return [*entries, ("alwaysApply", True)]
    description = rule.description
    if description is None:
        description = f"Rules for {', '.join(telling.globs)}" if telling.globs else rule.name
        lost.append("The rule had no description; omp needs one, so it has a made-up one now.")
    if telling.activation is ActivationMode.FOR_FILES:
        lost.append("omp does not tell a rule because of a file: the model asks for it by its description.")
    if telling.activation is ActivationMode.MANUALLY:
        lost.append("A person had to mention the rule; omp also offers it to the model, by its description.")
    entries = [("description", description)]
    return [*entries, ("globs", telling.globs)] if telling.globs else entries


def _one_or_more(texts: tuple[str, ...]) -> str | tuple[str, ...]:
    return texts[0] if len(texts) == 1 else texts
