"""One run of `ttsr-ls agent`: creates the session with its models, features and log, and processes the prompts."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ttsr_ls.agent.agent import Agent
from ttsr_ls.agent.file_tools import file_tools
from ttsr_ls.agent.secrets import Secrets
from ttsr_ls.agent.shell_tool import shell_tool
from ttsr_ls.agent.tool import AgentTool
from ttsr_ls.agent.view import TroubleReported
from ttsr_ls.agent.workspace import AgentWorkspace
from ttsr_ls.bridge.host.clock import Clock
from ttsr_ls.bridge.host.events import LogFailed, RulesReloaded, SessionEvent
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.bridge.watch.session_noise import session_noise_gate
from ttsr_ls.cli.agent.commands import AgentCommands
from ttsr_ls.cli.agent.configured_features import configured_features
from ttsr_ls.cli.agent.log import open_agent_log
from ttsr_ls.cli.agent.models import Models, build_models
from ttsr_ls.cli.agent.screen import Screen
from ttsr_ls.cli.agent.typed_lines import TypedLines
from ttsr_ls.cli.agent.usage_line import usage_line
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.loading_notes import print_settings_notes
from ttsr_ls.cli.log_arguments import on_log_failure
from ttsr_ls.cli.named_folders import working_folder
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.features.judge.feature import JudgeFeature
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.session.history.request_limits import AGENT_LIMITS
from ttsr_ls.session.hooks.contract import Feature

_OWN_FEATURES = ("tasks",)
"""The features that every session of this command has."""

SYSTEM = """\
You are a coding agent in the folder {folder}. Work with your tools until what the user asked for is done, then say
briefly what you did. Messages in <system-interrupt> and <system-reminder> come from the program that you run in."""


def prepare_run(args: argparse.Namespace, paths: tuple[Path, ...]) -> AgentRun:
    """Creates the run that the arguments describe. Raises UsageError, ScriptError."""
    folder = working_folder(args)
    rules = ReloadingRules(folder, Path.home(), os.environ, Clock().seconds(), 0.0, paths)
    print_settings_notes(rules.found)
    return AgentRun(args, folder, rules, paths, build_models(args))


class AgentRun:
    """One run of `ttsr-ls agent`: the sessions of its agents, from the first prompt to the last."""

    def __init__(
        self, args: argparse.Namespace, folder: Path, rules: ReloadingRules, paths: tuple[Path, ...], models: Models
    ) -> None:
        self._args = args
        self._folder = folder
        self._rules = rules
        self._judge: JudgeFeature | None = None
        self._named_folders = paths
        self._models = models
        self._secrets = Secrets.from_environment(os.environ, models.secrets)
        self._screen = Screen(sys.stdout, is_whole=args.verbose)
        self._typed = TypedLines(sys.stdin.fileno)
        self._active_agent: Agent | None = None
        self._interruption: asyncio.Task[None] | None = None

    def interrupt(self) -> bool:
        """Handles Ctrl-C: True if it interrupts an answer or command, False if the run should end."""
        if self._active_agent is None or self._interruption is not None:
            return False
        self._interruption = asyncio.create_task(self._active_agent.interrupt())
        return True

    async def run(self) -> int:
        """Opens the session and processes all prompts; returns the exit status."""
        with ExitStack() as stack:
            search = stack.enter_context(AstProcess())
            taken_names = [tool.name for tool in self._tools()]
            features: list[Feature] = [
                *configured_features(self._folder, own_names=_OWN_FEATURES, taken_names=taken_names)
            ]
            log = open_agent_log(self._args, self._folder, lambda text: self._screen.show(TroubleReported(text)))
            noise_gate = session_noise_gate(log.opened.log, self._folder, Path.home(), Clock().now)
            if self._models.judge is not None:
                self._judge = JudgeFeature(
                    self._rules.found.rule_set(),
                    self._rules.settings,
                    self._models.judge,
                    cwd=self._folder,
                    home=Path.home(),
                    write_line=lambda reason: self._screen.show(TroubleReported(reason)),
                    ast_search=search,
                    noise_gate=noise_gate,
                )
                features.append(self._judge)
            session = await Session.open(
                rules=self._rules,
                log=log.opened,
                features=features,
                api=self._models.api,
                system_messages=self._models.system_messages,
                cwd=self._folder,
                ast_search=search,
                on_log_failure=on_log_failure(self._args),
                limits=AGENT_LIMITS,
                noise_gate=noise_gate,
            )
            try:
                async with session:
                    return await self._prompts(session)
            finally:
                log.report_unwritten_records()
                await self._models.close()

    async def _prompts(self, session: Session) -> int:
        session.on_event(self._show_event)
        for problem in session.problems:
            self._screen.show(TroubleReported(problem))
        if session.turns:
            self._screen.note(f"The session continues after {count(len(session.turns), 'turn')}.")
        if self._models.judge is None and any(rule.question for rule in self._rules.found.rule_set().rules):
            self._screen.note("Rules with a question never fire: no judge model is configured; name one with --judge.")
        agent = Agent(
            session,
            self._models.api,
            self._models.model,
            self._tools(),
            self._system(),
            self._screen.show,
            self._secrets,
            self._models.context_window,
            on_log_failure(self._args),
        )
        commands = AgentCommands(agent, self._screen)
        status = ExitCode.OK
        for prompt in self._args.prompt:
            self._screen.prompt(prompt)
            if not await self._turn(session, agent, commands, prompt):
                status = ExitCode.FINDINGS
        while not self._args.prompt:
            self._screen.ask(">")
            prompt = await self._typed.prompt()
            self._screen.answered()
            if prompt is None:
                write_line()
                break
            if prompt.strip():
                await self._turn(session, agent, commands, prompt)
        return status

    def _show_event(self, event: SessionEvent) -> None:
        """Shows an event; with `--strict` no `LogFailed`, because the run then ends with that error."""
        if isinstance(event, RulesReloaded) and self._judge is not None:
            self._judge.replace_rules(self._rules.found.rule_set(), self._rules.settings)
        if not (self._args.strict and isinstance(event, LogFailed)):
            self._screen.show(event)

    async def _turn(self, session: Session, agent: Agent, commands: AgentCommands, prompt: str) -> bool:
        """Runs one prompt or command, which Ctrl-C interrupts. Returns False if it failed."""
        self._active_agent, self._interruption = agent, None
        before = session.usage
        try:
            is_done = await commands.run(prompt)
            return await agent.turn(prompt) if is_done is None else is_done
        finally:
            self._active_agent = None
            used = usage_line(session.usage - before)
            if self._args.verbose and used is not None:
                self._screen.note(used)

    def _tools(self) -> list[AgentTool[Any]]:
        environ = {name: value for name, value in os.environ.items() if name not in self._models.secrets}
        workspace = AgentWorkspace(self._folder, self._protected_paths())
        shell = shell_tool(self._folder, self._permission, environ, self._secrets)
        return [*file_tools(workspace, self._permission), shell]

    def _protected_paths(self) -> list[Path]:
        """The log, and the rules, which may lie outside of the folders that the file tools protect anyway."""
        log = [path for path in (self._args.resume, self._args.log) if path is not None]
        return [*self._named_folders, *log, *(rule.found.path for rule in self._rules.found.loaded)]

    async def _permission(self, question: str) -> bool:
        """Asks the user for permission. Without a terminal, only `--yes` gives it."""
        if self._args.yes:
            return True
        if self._args.prompt and not sys.stdin.isatty():
            self._screen.note(
                "Permission is refused: standard input is not a terminal, so nobody can be asked. --yes grants it."
            )
            return False
        self._screen.ask(f"{question} [y/N]")
        answer = await self._typed.answer()
        self._screen.answered()
        return answer is not None and answer.strip().lower() in ("y", "yes")

    def _system(self) -> str:
        return SYSTEM.format(folder=self._folder)
