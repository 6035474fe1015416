"""Asks a language server, in this process and by its messages, all that an editor asks about a rule file."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

from ttsr_ls.lsp.features import create_server

ROOT = Path(__file__).parents[2]
COUNTED = ("ttsr_ls.lsp.server", "ttsr_ls.ide.analysis", "ttsr_ls.store.surroundings", "ttsr_ls.lsp.configuration", *(
    f"ttsr_ls.lsp.methods.{path.stem}" for path in (ROOT / "ttsr_ls" / "lsp" / "methods").glob("[a-z]*.py")
))  # fmt: skip
"""What is imported before anything is measured."""
_PLACES = 8


class _Answers:
    """Takes the messages of the server; who waits for an answer gets it."""

    def __init__(self) -> None:
        self.waiting: dict[int, asyncio.Future[Any]] = {}

    def write(self, data: bytes) -> None:
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        future = self.waiting.pop(message.get("id"), None) if "method" not in message else None
        if future is not None:
            future.get_loop().call_soon_threadsafe(future.set_result, message.get("result"))

    def close(self) -> None:
        pass


async def ask(folder: Path, rule: str) -> dict[str, float]:
    """The processor time, in seconds, that the slowest request of each kind took."""
    server = create_server()
    answers = _Answers()
    server.protocol.set_writer(answers)
    took: dict[str, float] = {}
    number = 0

    async def request(name: str, method: str, params: object) -> Any:
        nonlocal number
        number += 1
        future = answers.waiting[number] = asyncio.get_running_loop().create_future()
        began = time.process_time()
        body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        server.protocol.receive(json.dumps(body).encode())
        result = await future
        took[f"server: {name}"] = max(took.get(f"server: {name}", 0.0), time.process_time() - began)
        return result

    def notify(method: str, params: object) -> None:
        began = time.process_time()
        server.protocol.receive(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())
        took[f"server: {method}"] = max(took.get(f"server: {method}", 0.0), time.process_time() - began)

    recorded = json.loads((ROOT / "tests" / "vectors" / "editor_capabilities.json").read_text())
    capabilities = recorded["vscode"]["capabilities"]
    # Nobody answers what the server asks.
    capabilities["workspace"].pop("configuration", None)
    folders = [{"uri": folder.as_uri(), "name": "shop"}]
    await request(
        "initialize",
        "initialize",
        {"processId": None, "rootUri": None, "capabilities": capabilities, "workspaceFolders": folders},
    )
    text = (folder / rule).read_bytes().decode("utf-8", "surrogatepass")
    uri = (folder / rule).as_uri()
    document = {"textDocument": {"uri": uri}}
    notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "markdown", "version": 1, "text": text}})
    await request("diagnostic", "textDocument/diagnostic", document)
    lines = text.split("\n")
    end = {"line": len(lines) - 1, "character": 0}
    for line in sorted({*range(min(5, len(lines))), *(len(lines) * part // 6 for part in range(6))}):
        length = len(lines[line])
        for character in sorted({0, 5, length // 2, max(0, length - 3)}):
            place = {**document, "position": {"line": line, "character": character}}
            await request("hover", "textDocument/hover", place)
        await request("completion", "textDocument/completion", place)
    everywhere = {"start": {"line": 0, "character": 0}, "end": end}
    await request(
        "code action", "textDocument/codeAction", {**document, "range": everywhere, "context": {"diagnostics": []}}
    )
    for path in ("src/near.txt", "src/code.ts"):
        tried = {"text": (folder / path).read_text(), "uri": uri}
        await request("try-out", "workspace/executeCommand", {"command": "ttsr.test", "arguments": [tried]})
        tried = {"text": (folder / path).read_text(), "uri": (folder / path).as_uri(), "rules": None}
        await request("try-out of all", "workspace/executeCommand", {"command": "ttsr.test", "arguments": [tried]})
    changed = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text + "\nmore"}]}
    notify("textDocument/didChange", changed)
    await request("diagnostic after a change", "textDocument/diagnostic", document)
    await request("shutdown", "shutdown", None)
    return took
