"""The gates of one rule for a text: those of the stream, and the one of the text."""

from __future__ import annotations

from collections.abc import Iterator

from ttsr_ls.ide.markdown import inline_code
from ttsr_ls.ide.text_trial.text_trial import RuleTextTrial
from ttsr_ls.ide.trial.obstacles import Obstacle
from ttsr_ls.ide.why.gates import Gate, GateStep, open_step, passing_step, stopping_step
from ttsr_ls.ide.why.stream_gates import missing_path_step, scope_steps
from ttsr_ls.rules.stream import StreamContext
from ttsr_ls.syntax.rule_file import RuleFile

_AT_GATES = {
    Obstacle.SOURCE: (Gate.STREAM, "Add this kind of stream to `scope`, or try the text as another kind."),
    Obstacle.TOOL: (Gate.STREAM, "Add the tool, with a glob that matches the path, to `scope`."),
    Obstacle.GLOBS: (Gate.FILES, "Add a glob that matches the path to `globs`."),
    Obstacle.ONLY_TEXT: (Gate.STREAM, "Try the text as a reply."),
    Obstacle.CONDITION: (Gate.CONDITION, "The hover of a condition explains what each of its parts matches."),
    Obstacle.UNDECIDED: (Gate.CONDITION, "Make the condition simpler."),
    Obstacle.NO_CONDITION: (Gate.CONDITION, "Try the text as an edit of a file, or give the rule a `condition`."),
    Obstacle.NO_FIRINGS: (Gate.REPEAT, "Raise `maxFirings`."),
    Obstacle.INTERRUPTED: (Gate.FIRST, "Try the rule by itself."),
    Obstacle.CHUNK: (Gate.CONDITION, "Set `scope` to `turn`, or try larger deltas."),
    Obstacle.LAST_INDEX: (Gate.CONDITION, "Remove the flag `g` or `y`."),
}


def stopping_gate(trial: RuleTextTrial, context: StreamContext) -> GateStep | None:
    """The first gate that stops a silent rule on a stream; None where the rule fires."""
    for obstacle in trial.obstacles:
        step = missing_path_step(trial.rule, context) if obstacle is Obstacle.TOOL else None
        if step is not None:
            return step
        gate, fix = _AT_GATES[obstacle]
        text = f"The rule does not fire: {obstacle}."
        if obstacle is Obstacle.NO_CONDITION and trial.matches.unparsed is not None:
            text = f"The rule has AST conditions alone, and {trial.matches.unparsed}."
        return open_step(gate, text) if obstacle is Obstacle.UNDECIDED else stopping_step(gate, text, fix)
    return None


def gates_of(file: RuleFile, context: StreamContext, trial: RuleTextTrial) -> Iterator[GateStep]:
    """The gates of the stream and the one of the text, including those after the first that stops the rule."""
    yield from scope_steps(file, trial.rule, context)
    yield text_gate(trial)


def text_gate(trial: RuleTextTrial) -> GateStep:
    """Returns the step for the conditions, which does not depend on the scope."""
    conditions = trial.rule.condition_texts
    delta_firing = trial.firing
    if delta_firing is not None:
        when = (
            "when the block ends"
            if delta_firing.is_at_end
            else f"once {delta_firing.trigger.offset} characters have arrived"
        )
        display = inline_code(conditions[delta_firing.trigger.condition])
        return passing_step(Gate.CONDITION, f"{display} fires with delta {delta_firing.delta}, {when}.")
    if trial.matches.matched:
        display = inline_code(conditions[trial.matches.matched[0]])
        return passing_step(Gate.CONDITION, f"{display} matches.")
    if trial.slow:
        return open_step(Gate.CONDITION, f"{inline_code(conditions[trial.slow[0]])} takes too long to match.")
    if not trial.rule.conditions and trial.matches.unparsed is not None:
        text = f"The rule has AST conditions alone, and {trial.matches.unparsed}."
        return stopping_step(Gate.CONDITION, text, _AT_GATES[Obstacle.NO_CONDITION][1])
    if not conditions:
        return open_step(Gate.CONDITION, "The rule has only a question, which a judge model answers.")
    return stopping_step(Gate.CONDITION, "No condition matches the text.", _AT_GATES[Obstacle.CONDITION][1])
