"""Puts the questions of rules to a judge model, in the background of a session that is seen through hooks.

The agent does not wait: its hook runs in the background, and wakes the agent if the judge finds a rule broken.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path

from ttsr_ls.bridge.adapters.codex.patch import canonical_calls
from ttsr_ls.bridge.agent_hooks.hook_call import HookCall, HookKind
from ttsr_ls.bridge.agent_hooks.hook_injections import JUDGED
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.features.judge.bounded_judge import BoundedJudge, JudgeLimits
from ttsr_ls.features.judge.feature import JudgeFeature
from ttsr_ls.features.judge.judge import Judge
from ttsr_ls.matching.ast.search import AstSearch
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.session.history.turn_events import Output, Text, ToolCall, TurnEvent
from ttsr_ls.session.hooks.contract import Ending, FollowUp, OutputContext, PendingInjection
from ttsr_ls.session.lifecycle.noise_budget import NoiseGate
from ttsr_ls.session.lifecycle.templates import Templates


class HookJudge:
    """Judges the output of one session. `report` is called with the reason if the judge gave no answer."""

    def __init__(
        self,
        judge: Judge,
        rules: ReloadingRules,
        cwd: Path,
        home: Path,
        report: Callable[[str], None],
        ast_search: AstSearch,
        noise_gate: NoiseGate,
    ) -> None:
        self._feature = JudgeFeature(
            rules.rules_for(MAIN_AGENT).omp,
            rules.settings,
            BoundedJudge(judge, JudgeLimits(), time.monotonic),
            cwd=cwd,
            home=home,
            write_line=report,
            ast_search=ast_search,
            templates=Templates(warning=JUDGED),
            noise_gate=noise_gate,
        )
        self._asking = asyncio.Lock()

    def evolve(self, event: TurnEvent) -> None:
        """Remembers which rules were injected."""
        self._feature.evolve(event)

    def replace_rules(self, rules: ReloadingRules) -> None:
        """Replaces the rules from the next output on."""
        self._feature.replace_rules(rules.rules_for(MAIN_AGENT).omp, rules.settings)

    async def warning(self, call: HookCall, commit: Callable[[PendingInjection], bool]) -> str:
        """Returns the text about the rules that the output of a call breaks; blank if it breaks none.

        `commit` records the text and returns whether that succeeded; if not, nothing is sent.
        """
        output = _output(call)
        if not output:
            return ""
        async with self._asking:  # Prevents two concurrent outputs from injecting the same rule twice.
            result = await self._feature.on_output_end(OutputContext("", 0, MAIN_AGENT, output, Ending.COMPLETE))
            if not isinstance(result, FollowUp):
                return ""
            (injection,) = result.injections
            return injection.text if await asyncio.to_thread(commit, injection) else ""


def _output(call: HookCall) -> tuple[Output, ...]:
    match call.kind:
        case HookKind.STOPPING | HookKind.SUBAGENT_STOPPING if call.text:
            return (Text(call.text),)
        case HookKind.AFTER_TOOL if call.tool:
            calls = canonical_calls(call.tool, call.call, call.arguments)
            return tuple(ToolCall(each.call, each.tool, json.dumps(each.arguments)) for each in calls)
        case _:
            return ()
