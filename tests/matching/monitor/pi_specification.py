"""The core of pi-ttsr as seed 002 gives it, statement by statement, to be compared with.

Everything is a naive reading of the pseudo-code: text is split anew each time, objects keep their `lastIndex`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.syntax.pi.pattern import read_flags


class RegExp:
    """`new RegExp(source, flags)`, with the `lastIndex` that `g` and `y` make it keep."""

    def __init__(self, source: str, flags: str) -> None:
        self.flags = flags
        self.matcher = compile_condition(read_flags(flags).group + source).matcher
        self.last_index = 0

    def test(self, text: str) -> bool:
        stateful = "g" in self.flags or "y" in self.flags
        start = self.last_index if stateful else 0
        if start > len(text):
            self.last_index = 0
            return False
        for position in range(start, start + 1 if "y" in self.flags else len(text) + 1):
            end = self.match_at(text, position)
            if end is not None:
                if stateful:
                    self.last_index = end
                return True
        if stateful:
            self.last_index = 0
        return False

    def match_at(self, text: str, at: int) -> int | None:
        span = self.matcher.search(text, at)
        return span.end if span is not None and span.start == at else None


@dataclass
class TtsrRule:
    name: str
    trigger: RegExp
    scope: str
    content: str
    maxFirings: float
    cooldown: float


@dataclass
class AgentRuleState:
    firings: int = 0
    lastFired: float = 0.0


@dataclass
class Extension:
    """`index.ts`: the handlers of `session_start` and `stream_text`, and the variable of the agent loop."""

    rules: list[TtsrRule]
    state: dict[str, AgentRuleState] = field(default_factory=dict)
    accumulated: str = ""

    def response_starts(self) -> None:
        self.accumulated = ""

    def text_delta(self, chunk: str, now: float) -> dict[str, object] | None:
        """`now` is the value of `Date.now()`, in milliseconds."""
        self.accumulated += chunk
        return self.stream_text(chunk, self.accumulated, now)

    def stream_text(self, chunk: str, accumulated: str, now: float) -> dict[str, object] | None:
        for rule in self.rules:
            rule_state = self.state.get(rule.name) or AgentRuleState()
            if rule_state.firings >= rule.maxFirings:
                continue
            if rule.cooldown > 0 and now - rule_state.lastFired < rule.cooldown * 1000:
                continue
            matched = False
            if rule.scope == "chunk":
                matched = rule.trigger.test(chunk)
            elif rule.scope == "accumulated":
                matched = rule.trigger.test(accumulated)
            else:
                lines = accumulated.split("\n")
                matched = any(rule.trigger.test(line) for line in lines)
            if matched:
                rule_state.firings += 1
                rule_state.lastFired = now
                self.state[rule.name] = rule_state
                return {
                    "abort": True,
                    "retry": {
                        "content": (
                            f"[TTSR RULE: {rule.name}]\n\n{rule.content}\n\nYour previous response was interrupted "
                            "because it matched this rule. Regenerate your response following the rule above."
                        )
                    },
                }
        return None
