"""First part of the demo: in a session on a scripted model, a rule interrupts an answer, and the model corrects it.

Nothing is faked but the model: the rule is read from a file, the session is `ttsr_ls.Session`, and the corrected file
is written into a scratch folder and read back.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
import textwrap
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from ttsr_ls.bridge.host.events import AnswerInterrupted, RulesTriggered, SessionEvent, TextInjected
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.bridge.host.turns.turn_request import TurnRequest
from ttsr_ls.bridge.model.request import ModelRequest
from ttsr_ls.bridge.model.script import read_script
from ttsr_ls.bridge.model.scripted import ScriptedModel
from ttsr_ls.cli.demo.answer_text import AnswerText
from ttsr_ls.cli.demo.columns import WIDTH, Columns
from ttsr_ls.cli.demo.pace import Pace
from ttsr_ls.cli.demo.scene_files import ANSWERS, RULE, scene_text
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line, printable

# A line end that the template of injections adds to wrap a paragraph.
_WRAPPED = re.compile(r"(?<=[^\n]{76}[^>\n])\n(?=[^<\n])")

PROMPT = "Add a function for the price with tax."


def show_correction(pace: Pace, palette: Palette) -> None:
    """Runs the session in a scratch folder and shows it."""
    with tempfile.TemporaryDirectory(prefix="ttsr-demo-") as folder:
        asyncio.run(_Scene(Path(folder), pace, palette).play())


class _Scene:
    """One session and its output on the screen."""

    def __init__(self, folder: Path, pace: Pace, palette: Palette) -> None:
        self._folder = folder
        self._pace = pace
        self._palette = palette
        rule = scene_text(RULE).splitlines()
        self._columns = Columns([f"The rule, {RULE}:", "", *rule], palette)
        self._text = AnswerText()
        self._written: list[Path] = []

    async def play(self) -> None:
        """Plays one turn."""
        rule = self._folder / RULE
        rule.write_text(scene_text(RULE), encoding="utf-8")
        model = ScriptedModel(read_script(scene_text(ANSWERS)).answers)
        async with await Session.open(rules=[rule], cwd=self._folder) as session:
            session.on_event(self._show_event)
            self._columns.line("You", TextStyle.STRONG)
            self._columns.add_text(f"  {PROMPT}\n")
            async with session.turn(PROMPT) as turn:
                speaker = "The agent answers, and its answer streams"
                async for request in turn:
                    await self._pace.reading()
                    self._columns.line(speaker, TextStyle.STRONG)
                    await self._answer(request, model)
                    speaker = "The agent answers"
        self._show_files()

    async def _answer(self, request: TurnRequest, model: ScriptedModel) -> None:
        self._text = AnswerText()
        model_request = ModelRequest(tuple(request.messages), tools=tuple(request.tools))
        async for event in request.watch(self._paced(model.stream(model_request))):
            self._columns.add_text(self._text.added_by(event))
        for call in request.calls:
            arguments = json.loads(call.arguments)
            path = self._folder / arguments["path"]
            path.parent.mkdir(exist_ok=True)
            path.write_text(arguments["content"], encoding="utf-8")
            self._written.append(path)
            await request.result(call.id, f"Wrote {arguments['path']}.")

    async def _paced(self, events: AsyncGenerator[dict[str, Any], None]) -> AsyncGenerator[dict[str, Any], None]:
        async for event in events:
            await self._pace.word()
            yield event

    def _show_event(self, event: SessionEvent) -> None:
        match event:
            case RulesTriggered():
                self._show_match(event)
            case AnswerInterrupted():
                self._note("The answer is interrupted. Nothing of it is written.", TextStyle.ERROR)
            case TextInjected():
                self._note("The model gets the rule's body, and is asked again:", TextStyle.WARNING)
                for line in _WRAPPED.sub(" ", event.text).splitlines():
                    labels = textwrap.wrap(printable(line), WIDTH - 4) or [""]
                    write_line(
                        "\n".join(self._palette.paint(f"  | {part}".rstrip(), TextStyle.FAINT) for part in labels)
                    )
                write_line()
                self._columns = Columns([], self._palette)
            case _:
                pass

    def _show_match(self, event: RulesTriggered) -> None:
        """Completes the line up to the end of the match: the session does not pass on the event with the match."""
        trigger = event.triggers[0]
        excerpt = trigger.excerpt
        line = excerpt.text[: excerpt.end].rpartition("\n")[2]
        matched_text = excerpt.text[excerpt.start : excerpt.end]
        self._columns.add_text(line.removesuffix(matched_text).removeprefix(self._text.line.removeprefix("  ")))
        self._columns.add_text(matched_text, TextStyle.ERROR)
        self._columns.finish()
        write_line()
        self._note(f"{trigger.rule} fires on {trigger.tool}: »{one_line(matched_text)}«", TextStyle.ERROR)

    def _note(self, text: str, style: TextStyle) -> None:
        write_line(self._palette.paint(f"-- {text}", style), flush=True)

    def _show_files(self) -> None:
        for path in self._written:
            self._note(f"On disk, {path.relative_to(self._folder)}:", TextStyle.GOOD)
            for line in path.read_text(encoding="utf-8").splitlines():
                write_line(f"  {printable(line)}".rstrip())
