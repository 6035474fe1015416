"""Pages of the documentation that hold files and what commands print about them.

A line that is only `` `name`: `` and a fenced block after it make a file. In a block `console`, each line `$ command`
is followed by what it prints. A line `⋮` there stands for more of the two lines above it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_FILE = re.compile(r"^`([^`\n]+)`:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)\n", re.MULTILINE)
MORE = "⋮"


@dataclass(frozen=True)
class Page:
    path: Path
    text: str

    @property
    def files(self) -> dict[str, str]:
        return {match[1]: match[2] for match in _FILE.finditer(self.text)}

    @property
    def transcripts(self) -> list[str]:
        return [match[1] for match in _CONSOLE.finditer(self.text)]

    def commands(self, transcript: str) -> list[str]:
        return _COMMAND.findall(transcript)

    def rewritten(self, transcripts: list[str]) -> str:
        """The page with these transcripts in the place of its own."""
        texts = iter(transcripts)
        return _CONSOLE.sub(lambda _: f"```console\n{next(texts)}```", self.text)


def shortened(transcript: str) -> str:
    """A transcript with pairs of lines that are repeated more than twice shown once."""
    lines = transcript.splitlines()
    short: list[str] = []
    place = 0
    while place < len(lines):
        pair = lines[place : place + 2]
        times = 1
        while len(pair) == 2 and lines[place + 2 * times : place + 2 * times + 2] == pair:
            times += 1
        if times > 2:
            short += [*pair, MORE]
            place += 2 * times
        else:
            short.append(lines[place])
            place += 1
    return "\n".join(short) + "\n"
