"""Reads rules of omp, of omp before `condition`, and of Maestro, which has omp's keys."""

from __future__ import annotations

from ttsr_ls.convert.patterns import split_flags
from ttsr_ls.convert.portable_rule import ConversionError, GuidanceSpec, PortableRule, TriggerSpec
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode
from ttsr_ls.syntax.keys import LEGACY_CONDITION_KEYS
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import Fields, RuleFile, ScalarValue

_MAESTRO_SCOPE = ("text", "thinking")
_WITH_PATH = ("tool:edit", "tool:write")


def from_omp(text: str, *, name: str, path: str) -> PortableRule:
    """Reads a rule of omp: it fires if it has a valid trigger, else it is guidance (spec B1, B2)."""
    file = read_rule(text, name=name, path=path)
    losses: list[str] = []
    if not file.body.value:
        losses.append("omp drops a rule without a body, so this rule had no effect.")
    activation = _activation(file.fields, losses)
    return PortableRule(name, file.fields.description, file.fields.enabled, activation, file.body.value, tuple(losses))


def from_omp_legacy(text: str, *, name: str, path: str) -> PortableRule:
    """Reads a rule with `ttsr_trigger`. It has omp's default scope."""
    file = read_rule(text, name=name, path=path)
    trigger = _legacy_trigger(file)
    if trigger is None:
        return from_omp(text, name=name, path=path)
    return PortableRule(
        name, file.fields.description, file.fields.enabled, TriggerSpec((_valid(trigger),)), file.body.value
    )


def from_maestro(text: str, *, name: str, path: str) -> PortableRule:
    """Reads a rule of Maestro: patterns have no flag group, and `globs` only restrict what is written to files."""
    file = read_rule(text, name=name, path=path)
    fields = file.fields
    if not (fields.conditions or fields.ast_conditions):
        raise ConversionError("The rule has no condition, so Maestro does not load it.")
    repeats = [
        f"`{key}` is left out: omp has a setting for all rules (`ttsr.repeatMode`)." for key in _repeat_keys(file)
    ]
    losses = ["`agents` is left out: in Maestro, it names programs."] if fields.agents else []
    trigger_spec = TriggerSpec(
        conditions=tuple(_valid(text.value) for text in fields.conditions),
        ast_conditions=tuple(text.value for text in fields.ast_conditions),
        scope=_maestro_scope(fields),
        interrupt_mode=fields.interrupt_mode,
        lost=tuple(repeats),
    )
    return PortableRule(name, fields.description, True, trigger_spec, file.body.value, tuple(losses))


def _activation(fields: Fields, losses: list[str]) -> TriggerSpec | GuidanceSpec:
    """Returns the trigger or the guidance that omp reads in the fields. Raises ConversionError if the trigger can never
    fire."""
    if not (fields.conditions or fields.ast_conditions or fields.question is not None):
        return _guidance(fields, losses)
    trigger_spec = _trigger(fields)
    if not (trigger_spec.conditions or trigger_spec.ast_conditions or trigger_spec.question is not None):
        reason = "None of its conditions is a valid regular expression, so it never fires"
    elif fields.scope and not trigger_spec.scope:
        scope = ", ".join(token.text.value for token in fields.scope)
        reason = f"No token of its scope (`{scope}`) names a stream of omp, so it never fires"
    else:
        return trigger_spec
    guidance_spec = _guidance(fields, losses)
    if guidance_spec.activation is ActivationMode.NEVER:
        raise ConversionError(f"{reason}.")
    losses += trigger_spec.lost
    losses.append(f"{reason}; in omp it is included {guidance_spec.activation.value}, and the conversion keeps that.")
    return guidance_spec


def _trigger(fields: Fields) -> TriggerSpec:
    conditions: list[str] = []
    losses: list[str] = []
    for text in fields.conditions:
        try:
            parse(split_flags(text.value)[1])
        except RegexSyntaxError:
            losses.append(f"The condition `{text.value}` is left out: it is not a valid regular expression.")
        else:
            conditions.append(text.value)
    return TriggerSpec(
        conditions=tuple(conditions),
        ast_conditions=tuple(text.value for text in fields.ast_conditions),
        question=None if fields.question is None else fields.question.value,
        scope=tuple(token.text.value for token in fields.scope if token.stream is not None),
        globs=tuple(text.value for text in fields.globs),
        agents=tuple(text.value for text in fields.agents),
        interrupt_mode=fields.interrupt_mode,
        lost=tuple(losses),
    )


def _guidance(fields: Fields, losses: list[str]) -> GuidanceSpec:
    globs = tuple(text.value for text in fields.globs)
    if fields.agents:
        losses.append("`agents` is left out: the rule now applies to every agent.")
    if fields.always_apply:
        return GuidanceSpec(ActivationMode.ALWAYS, globs)
    if fields.description:
        return GuidanceSpec(ActivationMode.ON_REQUEST, globs)
    return GuidanceSpec(ActivationMode.NEVER, globs)


def _legacy_trigger(file: RuleFile) -> str | None:
    for key in LEGACY_CONDITION_KEYS:
        entry = None if file.frontmatter is None else file.frontmatter.entry(key)
        if entry is not None and isinstance(entry.value, ScalarValue) and isinstance(entry.value.data, str):
            return entry.value.data or None
    return None


def _valid(pattern: str) -> str:
    """Returns a pattern without flag group, as the program passes it to `new RegExp`. Raises ConversionError if it is
    invalid.
    """
    try:
        parse(pattern)
    except RegexSyntaxError as error:
        raise ConversionError(f"`{pattern}` is not a valid regular expression: {error.message}") from error
    return pattern


def _repeat_keys(file: RuleFile) -> list[str]:
    keys = () if file.frontmatter is None else file.frontmatter.entries
    return [entry.key for entry in keys if entry.key in ("repeatMode", "repeatGap")]


def _maestro_scope(fields: Fields) -> tuple[str, ...]:
    scope = tuple(token.text.value for token in fields.scope)
    if not scope:
        scope = _MAESTRO_SCOPE if fields.conditions else _WITH_PATH
    globs = [text.value for text in fields.globs]
    if not globs:
        return scope
    return tuple(
        narrowed
        for token in scope
        for narrowed in ([f"{token}({glob})" for glob in globs] if token in _WITH_PATH else [token])
    )
