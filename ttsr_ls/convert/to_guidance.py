"""Writes guidance rules: those of Cursor, Windsurf, Cline, GitHub Copilot and Claude Code."""

from __future__ import annotations

import re

from ttsr_ls.convert.portable_rule import (
    ConversionError,
    FrontmatterEntry,
    GuidanceSpec,
    PortableRule,
    TriggerSpec,
    UnquotedText,
    WrittenRule,
)
from ttsr_ls.errors import UsageError
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode
from ttsr_ls.syntax.dialects.table import Dialect, DialectId

_WINDSURF_TRIGGERS = {
    ActivationMode.ALWAYS: "always_on",
    ActivationMode.FOR_FILES: "glob",
    ActivationMode.ON_REQUEST: "model_decision",
    ActivationMode.MANUALLY: "manual",
}
_TOOL_GLOB = re.compile(r"[\w:-]+\((.+)\)")


def to_guidance(rule: PortableRule, dialect: Dialect) -> WrittenRule:
    """Returns the rule as guidance. A rule that fires becomes one that is part of the prompt from the start."""
    losses = list(rule.lost)
    match rule.activation:
        case TriggerSpec() as trigger_spec:
            inclusion = _inclusion_without_trigger(trigger_spec, dialect, losses)
        case GuidanceSpec() as guidance_spec:
            inclusion = _guidance_inclusion(guidance_spec, dialect, losses)
    if not rule.is_enabled:
        raise ConversionError(f"The rule is switched off, but {dialect.program} uses every rule that it finds.")
    if inclusion.activation is ActivationMode.NEVER:
        raise ConversionError("The rule neither fires nor is it ever in the prompt.")
    entries = _entries(inclusion, rule.description, dialect, losses)
    if rule.description is not None and not any(key == "description" for key, _ in entries):
        has_place = dialect.find_key("description") is not None
        reason = "would offer the rule to the model by it" if has_place else "has no key for it"
        losses.append(f"The description is left out: {dialect.program} {reason}.")
    return WrittenRule(tuple(entries), rule.body, tuple(losses))


def _inclusion_without_trigger(trigger_spec: TriggerSpec, dialect: Dialect, losses: list[str]) -> GuidanceSpec:
    globs = trigger_spec.globs or tuple(
        dict.fromkeys(match[1] for token in trigger_spec.scope if (match := _TOOL_GLOB.fullmatch(token)))
    )
    activation = ActivationMode.FOR_FILES if globs else ActivationMode.ALWAYS
    losses.append(
        f"The rule's trigger is left out, because {dialect.program} matches no output. The rule is included "
        f"{activation.value}, and costs context."
    )
    if trigger_spec.agents:
        losses.append("`agents` is left out: the rule now applies to every agent.")
    return GuidanceSpec(activation, globs)


def _guidance_inclusion(guidance_spec: GuidanceSpec, dialect: Dialect, losses: list[str]) -> GuidanceSpec:
    """Returns when the rule is included. In omp, a rule has a description and globs; other programs use one of them."""
    activation = guidance_spec.activation
    if activation is ActivationMode.ON_REQUEST and guidance_spec.globs:
        activation = ActivationMode.FOR_FILES
        losses.append(
            f"The model asked for the rule by its description; in {dialect.program}, it is included {activation.value}."
        )
    return GuidanceSpec(activation, guidance_spec.globs)


def _entries(
    inclusion: GuidanceSpec, description: str | None, dialect: Dialect, losses: list[str]
) -> list[FrontmatterEntry]:
    globs = ",".join(inclusion.globs)
    described: list[FrontmatterEntry] = [("description", description)] if description else []
    match dialect.id:
        case DialectId.CURSOR:
            files: list[FrontmatterEntry] = [("globs", UnquotedText(globs))] if globs else []
            offered = [] if inclusion.activation is ActivationMode.MANUALLY else described
            return [*offered, *files, ("alwaysApply", inclusion.activation is ActivationMode.ALWAYS)]
        case DialectId.WINDSURF:
            is_for_files = inclusion.activation is ActivationMode.FOR_FILES
            files = [("globs", UnquotedText(globs))] if globs and is_for_files else []
            return [("trigger", _WINDSURF_TRIGGERS[inclusion.activation]), *files, *described]
        case DialectId.GITHUB:
            return [*described, *_apply_to(inclusion, globs, losses)]
        case DialectId.CLINE | DialectId.CLAUDE:
            kept = described if dialect.find_key("description") else []
            return [*kept, *_paths(inclusion, dialect, losses)]
        case _:
            raise UsageError(f"rules of {dialect.program} are not guidance")


def _apply_to(inclusion: GuidanceSpec, globs: str, losses: list[str]) -> list[FrontmatterEntry]:
    match inclusion.activation:
        case ActivationMode.ALWAYS:
            return [("applyTo", "**")]
        case ActivationMode.FOR_FILES:
            return [("applyTo", globs)]
        case _:
            losses.append("The program does not offer the rule by its description: the user has to attach it.")
            return []


def _paths(inclusion: GuidanceSpec, dialect: Dialect, losses: list[str]) -> list[FrontmatterEntry]:
    match inclusion.activation:
        case ActivationMode.FOR_FILES:
            return [("paths", inclusion.globs)]
        case ActivationMode.ALWAYS:
            return []
        case _:
            losses.append(f"{dialect.program} has no rules on request: the rule is always in the prompt.")
            return []
