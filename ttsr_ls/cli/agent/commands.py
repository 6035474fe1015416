"""The commands that a user can type to `ttsr-ls agent` instead of a prompt."""

from __future__ import annotations

import re

from ttsr_ls.agent.agent import Agent
from ttsr_ls.agent.view import NoticeShown, TroubleReported
from ttsr_ls.cli.agent.screen import Screen

COMMANDS = {
    "/compact [words]": "replace the history by a summary that the model writes; `words` say what it should keep",
    "/clear": "empty the history; every rule can fire again",
    "/rewind [n]": "go back to before the last prompt, or before the last n",
    "/help": "show these commands",
}
_COMMAND = re.compile(r"/(?P<name>[A-Za-z][A-Za-z0-9_-]*)(?:\s+(?P<rest>.*))?", re.DOTALL)
_NUMBER = re.compile(r"0*[1-9][0-9]{0,5}")


class AgentCommands:
    """Runs the commands that a user types to the agent, which begin with `/`."""

    def __init__(self, agent: Agent, screen: Screen) -> None:
        self._agent = agent
        self._screen = screen

    async def run(self, line: str) -> bool | None:
        """Runs the command that `line` is; False if it failed. None if it is a prompt.

        A command is a slash with one word right behind it. So `/etc/hosts is wrong` is a prompt, and so is any text
        behind a blank. Raises LogWriteError.
        """
        found_match = _COMMAND.fullmatch(line.rstrip())
        if found_match is None:
            return None
        name, rest = found_match["name"], (found_match["rest"] or "").strip()
        match name:
            case "compact":
                return await self._agent.compact(rest)
            case "clear" | "help" if rest:
                return self._refuse(f"/{name} takes no arguments; nothing was done.")
            case "clear":
                return await self._agent.history.clear()
            case "rewind" if rest and not _NUMBER.fullmatch(rest):
                return self._refuse(f"/rewind takes a number of turns, not {rest[:40]!r}; nothing was done.")
            case "rewind":
                return await self._agent.history.rewind(int(rest or 1))
            case "help":
                for command, label in COMMANDS.items():
                    self._screen.show(NoticeShown(f"{command}: {label}"))
                return True
        command_names = ", ".join(command.split()[0] for command in COMMANDS)
        return self._refuse(
            f"There is no command /{name[:40]}. The commands are {command_names}. To send this as a prompt, begin it "
            "with a space."
        )

    def _refuse(self, message: str) -> bool:
        self._screen.show(TroubleReported(message))
        return False
