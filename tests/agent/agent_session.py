"""An agent in a session with one rule and its tools, and all that it shows, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from ttsr_ls import Session
from ttsr_ls.agent.agent import Agent
from ttsr_ls.agent.file_tools import file_tools
from ttsr_ls.agent.secrets import NO_SECRETS, Secrets
from ttsr_ls.agent.shell_tool import shell_tool
from ttsr_ls.agent.view import ViewEvent
from ttsr_ls.agent.workspace import AgentWorkspace
from ttsr_ls.bridge.host.logs import OpenLog
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.model.client import Model
from ttsr_ls.features.tasks.feature import TaskFeature
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.request_limits import AGENT_LIMITS
from ttsr_ls.session.output.wire_events import Api

NO_FLOAT = "---\ncondition: '\\bfloat\\b'\nscope: 'text, tool:write(*.py)'\n---\nMoney is Decimal.\n"


class Running:
    """An agent in a folder, and all that it showed."""

    def __init__(self, agent: Agent, session: Session, shown: list[ViewEvent]) -> None:
        self.agent = agent
        self.session = session
        self.shown = shown

    def of(self, kind: type) -> list[Any]:
        return [view for view in self.shown if isinstance(view, kind)]


@asynccontextmanager
async def running(
    folder: Path,
    api: Api,
    model: Model,
    rule: str = NO_FLOAT,
    secrets: Secrets = NO_SECRETS,
    context_window: int | None = None,
    log: OpenLog | None = None,
    on_log_failure: LogFailurePolicy = LogFailurePolicy.GO_ON,
) -> AsyncIterator[Running]:
    (folder / "rules").mkdir()
    (folder / "rules" / "money.md").write_text(rule)
    work = folder / "work"
    work.mkdir()
    shown: list[ViewEvent] = []

    async def allowed(question: str) -> bool:
        return True

    session = await Session.open(
        rules=[folder / "rules"],
        settings=Settings(),
        features=[TaskFeature()],
        api=api,
        cwd=work,
        limits=AGENT_LIMITS,
        log=log,
        on_log_failure=on_log_failure,
    )
    session.on_event(shown.append)
    tools = [*file_tools(AgentWorkspace(work), allowed), shell_tool(work, allowed, {"PATH": "/usr/bin:/bin"})]
    async with session:
        agent = Agent(session, api, model, tools, "Be good.", shown.append, secrets, context_window, on_log_failure)
        yield Running(agent, session, shown)
    await model.close()
