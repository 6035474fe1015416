"""The events of a session log as short lines, for comparisons with expected ones."""

from __future__ import annotations

from ttsr_ls.session.history.turn_events import (
    ModelCall,
    RulesLoaded,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    ToolBatch,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)


def summarize(event: TurnEvent) -> str:
    """The event as a short line."""
    match event:
        case RulesLoaded(loaded):
            return " ".join(["rules", *(rule.name for rule in loaded)])
        case TurnStarted(turn, trigger):
            return f"{turn} started {type(trigger).__name__}"
        case StepAppended(turn, step, ModelCall() as call):
            kinds = " ".join(type(output).__name__ for output in call.output)
            return f"{turn}.{step} {'' if call.complete else 'cut '}answer {kinds}"
        case StepAppended(turn, step, ToolBatch() as batch):
            return f"{turn}.{step} calls " + " ".join(
                f"{item.tool} {type(item.state).__name__}" for item in batch.items
            )
        case StepUpdated(turn, step, call, state):
            return f"{turn}.{step} {call} {type(state).__name__}"
        case RuleTriggered():
            shown = event.excerpt.text[event.excerpt.start : event.excerpt.end]
            where = "" if event.target is None else f" in {event.target.path}:{event.target.start.line}"
            stream = event.tool or event.source
            place = f"{event.start}-{event.end} at {event.offset} {shown!r}"
            return f"{event.turn}.{event.step} {event.rule} on {stream} {place}{where}"
        case TurnEnded(turn, outcome):
            return f"{turn} ended {type(outcome).__name__}"
        case _:
            return type(event).__name__
