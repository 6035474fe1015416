"""Finds calls that the hooks of ttsr-ls denied, by the results that an agent reports."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.session.history.turn_events import RuleTriggered
from ttsr_ls.session.output.agent_events import AgentEvent, ToolResultSeen

_NOT_RUN = "This tool call was not run: it breaks a rule of this project."
"""A sentence of the message of the hook server; a test compares them."""

_MAX_CALLS = 10_000


class HookDenials:
    """Relates triggers to results of tool calls. Either may come first."""

    def __init__(self) -> None:
        self._results: dict[str, str] = {}
        self._triggers: dict[str, list[RuleTriggered]] = {}

    def take_results(self, events: Iterable[AgentEvent]) -> list[RuleTriggered]:
        """Returns the earlier triggers whose calls were denied, according to results among `events`."""
        denied: list[RuleTriggered] = []
        for event in events:
            if isinstance(event, ToolResultSeen):
                triggers, result = self._triggers.pop(event.call, ()), getattr(event.state, "result", "")
                if _NOT_RUN in result:
                    denied += [trigger for trigger in triggers if _names_rule(result, trigger.rule)]
                    put_bounded(self._results, event.call, result, _MAX_CALLS)
        return denied

    def is_denied(self, trigger: RuleTriggered) -> bool:
        """Returns whether the call of a new trigger was denied because of its rule, as far as its result is known."""
        if trigger.call is None:
            return False
        if (result := self._results.get(trigger.call)) is not None:
            return _names_rule(result, trigger.rule)
        put_bounded(self._triggers, trigger.call, [*self._triggers.get(trigger.call, ()), trigger], _MAX_CALLS)
        return False


def _names_rule(result: str, rule: str) -> bool:
    return f'reason="rule_violation" rule="{rule}"' in result
