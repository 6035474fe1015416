"""The gates of one rule by itself, from its file to the text, for playgrounds."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ttsr_ls.ide.text_trial.stopping_gate import gates_of, stopping_gate, text_gate
from ttsr_ls.ide.text_trial.text_trial import RuleTextTrial
from ttsr_ls.ide.why.gates import GateStep
from ttsr_ls.ide.why.standing_gates import ASK_ABOUT_AGENT, OmpSubject, gates_before_stream
from ttsr_ls.ide.why.stream_gates import ASK_ABOUT_FILE, ASK_WITH_PATH, NAME_PATH
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule_set import MAIN_AGENT, RuleSet
from ttsr_ls.rules.settings.layers import SettingsLayers
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.rules.stream import StreamContext
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.rule_file import RuleFile

_AS_WRITTEN = "Try the text as an edit or a write of a file"
# Maps the advice of the command `why` to that of an editor.
_IN_EDITOR = {
    ASK_ABOUT_AGENT: "",
    ASK_WITH_PATH: ", which an edit or a write of a file has",
    NAME_PATH: _AS_WRITTEN,
    ASK_ABOUT_FILE: _AS_WRITTEN,
}


def rule_gates(
    file: RuleFile | PiRuleFile,
    registration: Registration,
    context: StreamContext,
    trial: RuleTextTrial | None,
    folder: str,
) -> Iterator[GateStep]:
    """The gates of a rule on its own, under default settings. `trial` None: the rule has nothing to try."""
    for step in _gates(file, registration, context, trial, folder):
        yield step if step.fix is None else replace(step, fix=_editor_wording(step.fix))


def _editor_wording(fix: str) -> str:
    for of_command, of_editor in _IN_EDITOR.items():
        fix = fix.replace(of_command, of_editor)
    return fix


def _gates(
    file: RuleFile | PiRuleFile,
    registration: Registration,
    context: StreamContext,
    trial: RuleTextTrial | None,
    folder: str,
) -> Iterator[GateStep]:
    if isinstance(file, RuleFile):
        refusals = RuleSet.build((registration,), Settings()).refusals
        subject = OmpSubject(file, registration, "this file", next(iter(refusals), None), SettingsLayers(()), folder)
        yield from gates_before_stream(subject, MAIN_AGENT)
        if trial is not None:
            yield from gates_of(file, context, trial)
    elif trial is not None:
        gate = stopping_gate(trial, context)
        yield text_gate(trial) if gate is None else gate
