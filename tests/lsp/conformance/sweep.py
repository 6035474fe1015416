"""Makes every request that the server offers at every position of real rule files, in all encodings of positions.

    python -m tests.lsp.conformance.sweep [--files N] [--stride N] [--first N]

No request may fail, all places in answers have to be in their documents, and the answers in the three encodings have
to mean the same. The requests are those that the server itself offers. With `--stride N`, every N-th position is used,
from `--first` on, so that it can be done in parts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.lint.case_files import read_cases
from tests.lsp.conformance.logical_answers import logical_answer
from tests.lsp.conformance.offered_requests import OfferedRequest, offered_requests
from tests.lsp.conformance.reference_text import InvalidPlaceError, position_of
from tests.lsp.conformance.server_session import RequestRefusedError, ServerSession
from tests.lsp.talk import ROOT
from ttsr_ls.ide.rule_detection import is_in_rule_folder
from ttsr_ls.text import Encoding

ENCODINGS = tuple(encoding.value for encoding in Encoding)
_MAY_REFUSE = {"textDocument/rename", "textDocument/prepareRename"}
"""An error is the answer of the protocol where there is nothing to rename."""
_SEED = 20261122


class SweptFile(Struct, frozen=True):
    """A rule file of the sweep; `path` is relative to a folder of its own."""

    name: str
    path: str
    text: str


class SweepResult(Struct):
    """What a sweep did and found."""

    files: int
    positions: int
    requests: Counter[str]
    answers: Counter[str]
    """How many answers were not empty."""
    problems: list[str]


def swept_files() -> list[SweptFile]:
    """The shipped rules and those in the style of published ones; every third also with other line ends, and beyond
    the Basic Multilingual Plane."""
    files = [
        SweptFile(path.stem, f".omp/rules/{path.name}", path.read_text()) for path in (ROOT / "rules").glob("*.md")
    ]
    for document in (ROOT / "tests" / "lint" / "published").glob("*.md"):
        for case in read_cases(document.read_text()):
            files += [
                SweptFile(f"{document.stem}: {case.name}", case_text.path, case_text.text)
                for case_text in case.texts
                if is_in_rule_folder(f"/{case_text.path}")
            ]
    files.sort(key=lambda file: file.name)
    return [*files, *(_varied(file) for file in files[::3])]


def _varied(file: SweptFile) -> SweptFile:
    text = file.text.replace("description: ", "description: 😀é ", 1).replace("condition: ", "condition: # 語😀\n  ", 1)
    text = text.replace("\n", "\r\n", 7).replace("e", "é", 3)
    return SweptFile(f"{file.name} (varied)", file.path, f"{text}\u2028 😀 é\rtail 語")


async def sweep(
    folder: Path, files: Iterable[SweptFile], sample: int | None = None, first: int = 0, stride: int = 1
) -> SweepResult:
    """Sweeps over files, which are written below `folder`; `sample` is how many positions of each are used, at most."""
    sessions = [ServerSession(encoding) for encoding in ENCODINGS]
    for session in sessions:
        await session.start([folder])
    result = SweepResult(0, 0, Counter(), Counter(), [])
    for number, file in enumerate(files):
        path = folder / f"project{number}" / file.path
        path.parent.mkdir(parents=True)
        path.write_bytes(file.text.encode())
        await _FileSweep(sessions, file, path.as_uri(), result).run(_offsets(file, sample, first, stride))
    for session in sessions:
        await session.end()
        result.problems += sorted({*session.checker.problems})
    return result


def _offsets(file: SweptFile, sample: int | None, first: int, stride: int) -> Sequence[int]:
    inside = [offset for offset in range(len(file.text) + 1) if file.text[max(offset - 1, 0) : offset + 1] != "\r\n"]
    if sample is not None and sample < len(inside):
        return random.Random(f"{_SEED} {file.name}").sample(inside, sample)
    return inside[first::stride]


class _FileSweep:
    def __init__(self, sessions: Sequence[ServerSession], file: SweptFile, uri: str, result: SweepResult) -> None:
        self._sessions = sessions
        self._file = file
        self._uri = uri
        self._result = result
        self._text_of = lru_cache(self._read)

    async def run(self, offsets: Sequence[int]) -> None:
        text = self._file.text
        item = {"uri": self._uri, "languageId": "markdown", "version": 1, "text": text}
        for session in self._sessions:
            session.notify("textDocument/didOpen", {"textDocument": item})
        requests = offered_requests(self._sessions[0].answer, self._sessions[0].registered)
        whole = [_range(text, 0, len(text), session.encoding) for session in self._sessions]
        diagnostics: list[list[Any]] = [[] for _ in self._sessions]
        for request in sorted(requests, key=lambda request: request.method != "textDocument/diagnostic"):
            answers = await self._ask(request, whole, diagnostics, "as a whole")
            if request.method == "textDocument/diagnostic":
                diagnostics = [answer["items"] for answer in answers]
        positional = [request for request in requests if request.is_positional]
        for offset in offsets:
            places = [_range(text, offset, offset, session.encoding) for session in self._sessions]
            for request in positional:
                await self._ask(request, places, [[], [], []], f"at {offset}")
            if text[offset : offset + 1] > "\x7f":
                await self._ask_within_character(positional, places)
        for session in self._sessions:
            session.notify("textDocument/didClose", {"textDocument": {"uri": self._uri}})
        self._result.files += 1
        self._result.positions += len(offsets)

    async def _ask(
        self, request: OfferedRequest, places: Sequence[Any], diagnostics: Sequence[Any], where: str
    ) -> list[Any]:
        """Makes a request in all encodings and compares what the answers mean; returns the answers."""
        answers = await asyncio.gather(
            *(
                self._answer(session, request.method, request.params(self._uri, place, found))
                for session, place, found in zip(self._sessions, places, diagnostics, strict=True)
            )
        )
        self._result.requests[request.method] += len(answers)
        self._result.answers[request.method] += sum(
            bool(answer) and not isinstance(answer, RequestRefusedError) for answer in answers
        )
        about = f"{self._file.name}: {request.method} {where}"
        try:
            suggestion = [
                logical_answer(answer, self._uri, self._text_of, session.encoding)
                for session, answer in zip(self._sessions, answers, strict=True)
            ]
        except InvalidPlaceError as error:
            self._result.problems.append(f"{about}: {error}")
            return answers
        if request.method in _MAY_REFUSE:
            refused = {isinstance(answer, RequestRefusedError) for answer in answers}
            suggestion = [str(item) if isinstance(item, RequestRefusedError) else item for item in suggestion]
            if len(refused) > 1:
                self._result.problems.append(f"{about}: refused in some encodings only")
        for encoding, item in zip(ENCODINGS[1:], suggestion[1:], strict=True):
            if item != suggestion[0]:
                difference = f"{json.dumps(suggestion[0])[:2000]} != {json.dumps(item)[:2000]}"
                self._result.problems.append(f"{about}: {ENCODINGS[0]} and {encoding} differ: {difference}")
        return answers

    async def _answer(self, session: ServerSession, method: str, params: Any) -> Any:
        try:
            return await session.request(method, params)
        except RequestRefusedError as error:
            if method not in _MAY_REFUSE:
                self._result.problems.append(f"{self._file.name}: {method} {params}: {error}")
            return error

    async def _ask_within_character(self, requests: Iterable[OfferedRequest], places: Sequence[Any]) -> None:
        """A position in the middle of a character must not fail."""
        for session, place in zip(self._sessions, places, strict=True):
            inside = {"line": place["start"]["line"], "character": place["start"]["character"] + 1}
            for request in requests:
                await self._answer(session, request.method, request.params(self._uri, {"start": inside, "end": inside}))

    def _read(self, uri: str) -> str | None:
        if uri == self._uri:
            return self._file.text
        path = Path(uri.removeprefix("file://"))
        return path.read_bytes().decode() if uri.startswith("file:///") and path.is_file() else None


def _range(text: str, start: int, end: int, encoding: str) -> dict[str, Any]:
    return {"start": position_of(text, start, encoding), "end": position_of(text, end, encoding)}


def main() -> int:
    """Sweeps over all files and prints what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=None, help="how many files, all by default")
    parser.add_argument("--stride", type=int, default=1, help="every N-th position")
    parser.add_argument("--first", type=int, default=0, help="the first position")
    options = parser.parse_args()
    files = swept_files()[: options.files]
    began, used = time.monotonic(), time.process_time()
    with tempfile.TemporaryDirectory() as name:
        os.environ.update({"HOME": name, "XDG_STATE_HOME": name})
        result = asyncio.run(sweep(Path(name).resolve() / "swept", files, None, options.first, options.stride))
    seconds, processor = time.monotonic() - began, time.process_time() - used
    print(f"{result.files} files, {result.positions} positions, {seconds:.0f} s, {processor:.0f} s of processor time")
    for method, count in sorted(result.requests.items()):
        print(f"{method}: {count} requests, {result.answers[method]} answers that are not empty")
    for problem, count in Counter(result.problems).most_common(50):
        print(f"{count} times: {problem}")
    print(f"{len(result.problems)} problems")
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
