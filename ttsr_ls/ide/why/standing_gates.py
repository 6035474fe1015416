"""The gates that a rule passes before any stream: its file, other files, and settings decide them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.ide.markdown import escape_markdown, inline_code
from ttsr_ls.ide.shown_path import shown_path
from ttsr_ls.ide.why.gates import Gate, GateStep, passing_step, stopping_step
from ttsr_ls.rules.condition_limits import indexes_beyond_limits
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.rules.rule_set import Refusal, RefusalReason
from ttsr_ls.rules.settings import keys
from ttsr_ls.rules.settings.keys import SettingKey
from ttsr_ls.rules.settings.layers import SettingsLayers
from ttsr_ls.syntax.rule_file import RuleFile


class OmpSubject(Struct, frozen=True):
    """A rule that was found, with the facts for its gates. `source` names its provider.

    `refusal` is the reason why it is not matched on the streams of the queried agent; None if it is.
    """

    file: RuleFile
    registration: Registration
    source: str
    refusal: Refusal | None
    layers: SettingsLayers
    folder: str
    """The folder from which paths are shown."""

    @property
    def path(self) -> str:
        """The path of the file as it is shown."""
        return shown_path(self.file.path, self.folder)


def gates_before_stream(subject: OmpSubject, agent: str) -> Iterator[GateStep]:
    """The gates up to the first that stops the rule."""
    reason = None if subject.refusal is None else subject.refusal.reason
    file = subject.file
    yield passing_step(Gate.FOUND, f"{inline_code(subject.path)}: {subject.source}.")
    for gate, stop, text, step in (
        (Gate.ENABLED, RefusalReason.NOT_ENABLED, "The file does not say `enabled: false`.", _not_enabled),
        (Gate.EXTENSION, RefusalReason.DISABLED_EXTENSION, "No setting disables it as an extension.", _extension),
        (Gate.NAME, RefusalReason.SHADOWED, f"No file before it is called {inline_code(file.name)}.", _shadowed),
        (Gate.BODY, RefusalReason.EMPTY_BODY, "It has a body.", _empty),
        (Gate.SETTING, RefusalReason.DISABLED_BY_SETTING, "No setting disables its name.", _disabled),
        (Gate.AGENT, RefusalReason.OTHER_AGENT, _agent_text(subject, agent), _other_agent),
        (Gate.TRIGGER, RefusalReason.NO_TRIGGER, _triggers(subject), _no_trigger),
        (Gate.ON, RefusalReason.TTSR_OFF, "Rules are switched on (`ttsr.enabled`).", _off),
    ):
        if reason is stop:
            yield step(subject, agent)
            return
        yield passing_step(gate, text)


def _not_enabled(subject: OmpSubject, agent: str) -> GateStep:
    return stopping_step(Gate.ENABLED, "The file says `enabled: false`.", "Remove that line, or write `enabled: true`.")


def _extension(subject: OmpSubject, agent: str) -> GateStep:
    place = setting_place(subject.layers, keys.DISABLED_EXTENSIONS, subject.folder)
    text = f"The setting `disabledExtensions` has {inline_code(f'rule:{subject.file.name}')}, {place}."
    return stopping_step(
        Gate.EXTENSION, text, "Take it out of the list. A project's list takes the place of the user's."
    )


def _shadowed(subject: OmpSubject, agent: str) -> GateStep:
    refusal = subject.refusal
    by = "another file" if refusal is None or refusal.shadowed_by is None else refusal.shadowed_by
    other = inline_code(shown_path(by, subject.folder))
    text = f"{other} is called {inline_code(subject.file.name)} too, and comes first."
    return stopping_step(Gate.NAME, text, "Rename one of the two files, or remove the other one.")


def _empty(subject: OmpSubject, agent: str) -> GateStep:
    text = "The file has no body, so there is nothing to inject, and the rule is rejected."
    return stopping_step(Gate.BODY, text, "Write what the agent should do, below the frontmatter.")


def _disabled(subject: OmpSubject, agent: str) -> GateStep:
    place = setting_place(subject.layers, keys.DISABLED_RULES, subject.folder)
    text = f"The setting `ttsr.disabledRules` has {inline_code(subject.file.name)}, {place}."
    return stopping_step(
        Gate.SETTING, text, "Take the name out of the list. A project's list takes the place of the user's."
    )


def _agent_text(subject: OmpSubject, agent: str) -> str:
    agents = subject.registration.agents
    if not agents:
        return "It is for all agents."
    return f"`agents` admits {inline_code(agent)}: {_codes(agents)}."


def _other_agent(subject: OmpSubject, agent: str) -> GateStep:
    text = f"`agents` does not admit {inline_code(agent)}, only {_codes(subject.registration.agents)}."
    return stopping_step(Gate.AGENT, text, f"Add {inline_code(agent)} to `agents`{ASK_ABOUT_AGENT}.")


def _triggers(subject: OmpSubject) -> str:
    rule = subject.registration.rule
    if rule is None:
        return ""
    count_text = (
        (len(rule.conditions), "condition"),
        (len(rule.ast_conditions), "AST condition"),
        (0 if rule.question is None else 1, "question"),
    )
    phrases = [f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in count_text if count]
    lost_count = sum(problem.code == "regex-does-not-compile" for problem in subject.registration.problems)
    verb, auxiliary = ("does", "is") if lost_count == 1 else ("do", "are")
    details = f"; {lost_count} more {verb} not compile and {auxiliary} left out"
    too_many = len(indexes_beyond_limits([text.value for text in subject.file.fields.conditions]))
    large = f"; {too_many:,} more {'is' if too_many == 1 else 'are'} too large to match within the limits of a file"
    return f"It has {' and '.join(phrases)}{details if lost_count else ''}{large if too_many else ''}."


def _no_trigger(subject: OmpSubject, agent: str) -> GateStep:
    fields = subject.file.fields
    problems = [problem for problem in subject.registration.problems if problem.code != "empty-body"]
    if problems:
        reason = " ".join(escape_markdown(problem.message) for problem in problems[:3])
        fix = f"Run {inline_code(f'ttsr-ls check {subject.path}')} and fix the problems that it reports."
    elif not (fields.conditions or fields.ast_conditions or fields.question):
        reason = "It has no `condition`, `astCondition` or `question`."
        if subject.file.frontmatter is None:
            reason = "The frontmatter of the file is not recognised, so it has no condition."
        fix = "Add a `condition`. If the file has one, `ttsr-ls check` reports why it is not recognised."
    else:
        reason, fix = "None of its triggers is valid.", "Run `ttsr-ls check` on the file."
    landing = _LANDINGS[subject.registration.fallback]
    return stopping_step(Gate.TRIGGER, f"{reason} {landing}", fix)


_LANDINGS = {
    Bucket.ALWAYS: "It is a part of every prompt instead (`alwaysApply`).",
    Bucket.RULEBOOK: "Only its description is listed in the prompt instead.",
    Bucket.DROPPED: "It has no effect.",
}


def _off(subject: OmpSubject, agent: str) -> GateStep:
    text = f"The setting `ttsr.enabled` is off, {setting_place(subject.layers, keys.ENABLED, subject.folder)}."
    return stopping_step(Gate.ON, text, "Set `ttsr.enabled` to `true`.")


def setting_place(layers: SettingsLayers, key: SettingKey, folder: str) -> str:
    """The position of a setting's value, in words; paths are shown from `folder`."""
    setting = layers.effective(key)
    if setting is None:
        return "by default"
    return f"in {inline_code(shown_path(setting.layer.file.path, folder))}, line {setting.line}"


def _codes(texts: tuple[str, ...]) -> str:
    return ", ".join(inline_code(text) for text in texts)


ASK_ABOUT_AGENT = ", or ask with `--agent` about another one"
"""Advice for the command `why`; an editor asks about the main agent alone."""
