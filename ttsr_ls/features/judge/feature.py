"""Judged rules as a feature of a session (spec J): questions after each complete answer, warnings for broken rules.

The agent waits for the judge, but not for long, and never fails with it: if a judge cannot be called, or its answer is
unreadable, no rule counts as broken, and the user is notified.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import PurePath

from ttsr_ls.features.judge.answers import judgement
from ttsr_ls.features.judge.judge import WAIT, Judge, JudgeAnswer, NoJudgeAnswer
from ttsr_ls.features.judge.outputs import finished_outputs
from ttsr_ls.features.judge.questions import FinishedOutput, QuestionRules, prompt
from ttsr_ls.matching.ast.search import AstSearch, NoAstSearch
from ttsr_ls.matching.repeat.repeat_mode_policy import elapsed_units
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import JudgeMode as JudgeSetting
from ttsr_ls.rules.settings.settings import RepeatMode, RepeatUnit, Settings
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import MAIN_AGENT, TriggersSuppressed, TurnEvent, TurnStarted
from ttsr_ls.session.hooks.authority import Authority, grants_authority
from ttsr_ls.session.hooks.contract import (
    Ending,
    Feature,
    FollowUp,
    Note,
    OutputContext,
    OutputResult,
    PendingInjection,
    Proceed,
    TurnContext,
    TurnResult,
)
from ttsr_ls.session.lifecycle.noise_budget import NoiseGate
from ttsr_ls.session.lifecycle.rule_state import RuleFold
from ttsr_ls.session.lifecycle.templates import Templates, render_template, rule_text
from ttsr_ls.session.output.common_tools import COMMON_TOOLS
from ttsr_ls.session.output.tool_vocabulary import Vocabulary

MAX_OUTPUTS = 16
"""The most outputs of one answer that are judged; later ones are not."""

_MAX_NAMED = 5
"""The most rules that are named in the message about an unusable answer."""
_MAX_SHOWN = 80
"""The most characters of an unusable answer that are shown to the user."""


@grants_authority(Authority.RULES)
class JudgeFeature(Feature):
    """The question rules of one session.

    `cwd` is the base of relative paths in calls, `home` the user's home folder, both absolute. `write_line` shows the
    user why the judge gave no answer.
    """

    name = "judge"
    timeout = 2 * WAIT

    def __init__(
        self,
        rules: RuleSet,
        settings: Settings,
        judge: Judge,
        *,
        cwd: PurePath,
        home: PurePath,
        write_line: Callable[[str], None],
        ast_search: AstSearch | None = None,
        tools: Vocabulary = COMMON_TOOLS,
        templates: Templates | None = None,
        noise_gate: NoiseGate | None = None,
    ) -> None:
        self._ast_search = NoAstSearch() if ast_search is None else ast_search
        self.replace_rules(rules, settings)
        self._noise = noise_gate
        self._judge = judge
        self._cwd = cwd
        self._home = home
        self._write_line = write_line
        self._tools = tools
        self._template = (Templates() if templates is None else templates).warning
        self._fold = RuleFold(MAIN_AGENT)

    def replace_rules(self, rules: RuleSet, settings: Settings) -> None:
        """Continues with other rules. Rules that were injected stay injected, by name."""
        is_enabled = settings.enabled and settings.judge is not JudgeSetting.OFF
        self._rules = QuestionRules(rules.rules if is_enabled else (), self._ast_search)
        self._settings = settings
        self._unit = settings.repeat_unit or RepeatUnit.ANSWERS

    @property
    def has_questions(self) -> bool:
        """True if any rule has a question for the judge."""
        return bool(self._rules)

    def begin_session(self, agent: str) -> None:
        """Sets the agent whose injections the repeat policy follows."""
        self._fold = RuleFold(agent)

    def evolve(self, event: TurnEvent) -> None:
        """Records which rules were injected, and when."""
        self._fold.evolve(event)
        if isinstance(event, TurnStarted) and self._noise is not None:
            self._noise.start_turn()

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        """Asks the judge about each output of a complete answer, concurrently."""
        if not self._rules or context.ending is not Ending.COMPLETE or not context.can_retry:
            return Proceed()
        questions: list[tuple[tuple[Rule, ...], FinishedOutput]] = []
        for output in finished_outputs(context.output, self._cwd, self._tools):
            if len(questions) == MAX_OUTPUTS:
                break
            rules = self._rules.candidates(output, self._admits)
            if rules:
                questions.append((rules, output))
        answers = await asyncio.gather(*(self._ask(*item) for item in questions))
        for reason in dict.fromkeys(reason for _, reasons in answers for reason in reasons):
            self._write_line(reason)
        broken = tuple({rule.name: rule for rules, _ in answers for rule in rules}.values())
        if self._noise is not None:
            broken = tuple(rule for rule in broken if self._noise.admits(rule.name))
        if not broken:
            return Proceed()
        text = render_template(self._template, (rule_text(rule, self._cwd, self._home) for rule in broken))
        return FollowUp(
            (PendingInjection(InjectionKind.WARNING, Role.USER, text, tuple(rule.name for rule in broken)),)
        )

    async def on_turn_end(self, context: TurnContext) -> TurnResult:
        """Puts the suppressed warnings of the turn on record."""
        suppressed = () if self._noise is None else self._noise.end_turn()
        return Note((TriggersSuppressed(context.turn, suppressed),)) if suppressed else Proceed()

    def _admits(self, rule: Rule) -> bool:
        """The repeat policy (spec I5). Never twice in one turn: a warning leads to an answer that is judged again."""
        state = self._fold.state
        # A mark with another path is that of a rule of another dialect.
        marks = [mark for mark in state.injected if mark.rule == rule.name and mark.path in ("", rule.path)]
        if not marks:
            return True
        since = state.since(marks[-1])
        is_over = since.turns >= 1 and elapsed_units(since, self._unit) >= self._settings.repeat_gap
        return self._settings.repeat_mode is RepeatMode.AFTER_GAP and is_over

    async def _ask(self, rules: tuple[Rule, ...], output: FinishedOutput) -> tuple[tuple[Rule, ...], tuple[str, ...]]:
        """Returns the rules that an output breaks, and the reasons why the judge gave no usable answer for others."""
        answer = await self._judge.ask(prompt(rules, output))
        match answer:
            case JudgeAnswer():
                result = judgement(rules, answer.text)
                reasons = (_unanswered_message(result.open, answer.text),) if result.open else ()
                return tuple(verdict.rule for verdict in result.broken), reasons
            case NoJudgeAnswer():
                return (), (answer.reason,)


def _unanswered_message(rules: tuple[Rule, ...], answer: str) -> str:
    """Returns why rules count as kept although the judge was asked about them."""
    names = ", ".join(rule.name for rule in rules[:_MAX_NAMED])
    details = f" and {len(rules) - _MAX_NAMED} more" if len(rules) > _MAX_NAMED else ""
    reply = f"said {_shortened(answer)!r}" if answer.strip() else "said nothing"
    return f"The judge gave no probability from 0 to 1 for {names}{details}; it {reply}."


def _shortened(answer: str) -> str:
    words = " ".join(answer[:_MAX_SHOWN].split())
    return f"{words}…" if len(answer) > _MAX_SHOWN else words
