"""Records when the reference agent cuts answers off.

    python -m tests.recorders.record_interrupts --omp OMP OUTPUT.json.gz

Runs the agent itself against a model on loopback that answers as `interrupt_cases.py` says; the format is in
tests/vectors/README.md. It needs no network: `unshare -rn sh -c 'ip link set lo up; …'`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.recorders import interrupt_cases, interrupt_pages
from tests.recorders.injected_requests import seen_requests
from tests.recorders.rpc_agent import RpcAgent, ending_of
from tests.recorders.scripted_answers import Block
from tests.recorders.scripted_judge import says_yes
from tests.recorders.stepped_model import SteppedModel

OTHERWISE: list[Block] = [{"text": ["Fine."]}]
TRIES = 3
OUTPUTS = {"<output>reply": "text", "<output>reasoning": "thinking", "<output>`write`": "write"}
"""What a judge is told that an output is."""


class UnclearError(Exception):
    """What was seen of the agent does not fit together."""


class Recording:
    """What happens in one session of the agent."""

    def __init__(self, omp: Path, ending: str, session: dict[str, Any]) -> None:
        self._session = session
        self._script: list[list[Block]] = []
        self._model = SteppedModel(self._answer, self._aside)
        self._asked: list[str] = []
        self._ended: list[str] = []
        self._triggered: list[list[str]] = []
        with tempfile.TemporaryDirectory(prefix="interrupts-", ignore_cleanup_errors=True) as folder:
            files = {f"project/.omp/rules/{name}.md": text for name, text in session["rules"].items()}
            if session["settings"] is not None:
                files["project/.omp/config.yml"] = session["settings"]
            agent = RpcAgent(omp, ending, Path(folder), self._model.url, files, self._on_event)
            try:
                self.seen = [self._prompt(agent, number) for number in range(len(session["prompts"]))]
            finally:
                agent.close()
                self._model.close()

    def _answer(self, _body: dict[str, Any]) -> list[Block]:
        return self._script.pop(0) if self._script else OTHERWISE

    def _aside(self, body: dict[str, Any]) -> str:
        """A judge. What it is told begins with a line of the agent's, and the question follows."""
        state = json.dumps(body["messages"])
        self._asked.append(next(source for sign, source in OUTPUTS.items() if sign in state))
        question = body["system"][-1]["text"].partition("\n")[2]
        return "YES" if says_yes(question, state) else "NO"

    def _on_event(self, event: dict[str, Any]) -> None:
        match event:
            case {"type": "message_update", "assistantMessageEvent": {"type": kind}} if kind.endswith("_delta"):
                self._model.saw_piece()
            case {"type": "message_end", "message": {"role": "assistant", "stopReason": reason}}:
                self._ended.append(reason)
            case {"type": "ttsr_triggered", "rules": rules}:
                self._triggered.append([rule["name"] for rule in rules])

    def _prompt(self, agent: RpcAgent, number: int) -> dict[str, Any]:
        self._script = list(self._session["prompts"][number])
        self._model.exchanges.clear()
        self._ended.clear()
        self._asked.clear()
        self._triggered.clear()
        agent.prompt(f"Prompt {number}.")
        exchanges, ended = self._model.exchanges, self._ended
        if len(exchanges) != len(ended):
            raise UnclearError(f"{len(exchanges)} requests, and the answers ended so: {ended}")
        for exchange, reason in zip(exchanges, ended, strict=True):
            if exchange.is_cut and reason != "aborted":
                raise UnclearError(f"a connection was closed, and the answer ended so: {reason}")
        cuts = [reason == "aborted" for reason in ended]
        requests = seen_requests([exchange.body["messages"] for exchange in exchanges], cuts, f"Prompt {number}.")
        seen = {"requests": requests, "triggered": [list(names) for names in self._triggered]}
        return {**seen, "asked": sorted(self._asked)} if self._asked else seen


def recorded_session(omp: Path, ending: str, session: dict[str, Any]) -> list[dict[str, Any]]:
    """What happens in a session; tried again where the agent's own races made it unclear."""
    for _ in range(TRIES - 1):
        try:
            return Recording(omp, ending, session).seen
        except UnclearError as error:
            print(session["about"], error, file=sys.stderr)
    return Recording(omp, ending, session).seen


def already_recorded(output: Path, version: str) -> dict[str, list[dict[str, Any]]]:
    """What was seen in sessions, by what was asked."""
    if not output.exists():
        return {}
    vectors = json.loads(gzip.decompress(output.read_bytes()))
    if vectors["provenance"]["agent"] != version:
        return {}
    return {
        json.dumps({name: value for name, value in vector.items() if name != "seen"}): vector["seen"]
        for vector in vectors["sessions"]
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--omp", type=Path, required=True)
    parser.add_argument("--note", help="what is to be known of the installed agent")
    parser.add_argument("output", type=Path, help="the file to write; what it has of this version is kept")
    args = parser.parse_args()
    omp = args.omp.resolve()
    version = subprocess.run([omp, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    known = already_recorded(args.output, version)
    recorded = []
    for session in [*interrupt_cases.sessions(), *interrupt_pages.sessions()]:
        query = json.dumps(session)
        recorded.append({**session, "seen": known.get(query) or recorded_session(omp, ending_of(version), session)})
        print("kept" if query in known else "recorded", session["about"], file=sys.stderr)
    provenance = {"recorder": "tests/recorders/record_interrupts.py", "agent": version}
    provenance |= {"note": args.note} if args.note else {}
    text = json.dumps({"provenance": provenance, "sessions": recorded}, ensure_ascii=False)
    args.output.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
