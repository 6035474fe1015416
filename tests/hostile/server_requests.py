"""Asks a language server, in this process and by its messages, all that an editor asks about a rule file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tests.hostile.hostile_cases import SESSION, Case
from tests.hostile.server_client import ServerClient
from tests.hostile.server_views import ask_about_runs, ask_about_structure, count
from ttsr_ls.store.log.session_dirs import session_file, state_home, workspace_folder, workspace_root

ROOT = Path(__file__).parents[2]
COUNTED = ("ttsr_ls.lsp.server", "ttsr_ls.ide.analysis", "ttsr_ls.store.discovery.lint_environment",
           "ttsr_ls.lsp.configuration", *(
    f"ttsr_ls.lsp.methods.{path.stem}" for path in (ROOT / "ttsr_ls" / "lsp" / "methods").glob("[a-z]*.py")
))  # fmt: skip
"""What is imported before anything is measured."""
_MANY = 2_000


async def ask(folder: Path, case: Case) -> ServerClient:
    """Asks all of it; the client has the processor times."""
    client = ServerClient()
    recorded = json.loads((ROOT / "tests" / "vectors" / "editor_capabilities.json").read_text())
    capabilities = recorded["vscode"]["capabilities"]
    # Nobody answers what the server asks.
    capabilities["workspace"].pop("configuration", None)
    capabilities["experimental"] = {"ttsrTests": True, "ttsrRuns": True, "ttsrDocumentation": True}
    folders = [{"uri": folder.as_uri(), "name": "shop"}]
    started = {"processId": None, "rootUri": None, "capabilities": capabilities, "workspaceFolders": folders}
    # Matches are counted by a process in the background, whose time would be that of any message: see `count`.
    started["initializationOptions"] = {"matchCounts": False}
    await client.request("initialize", "initialize", started)
    text = (folder / case.rule).read_bytes().decode("utf-8", "surrogatepass")
    uri = (folder / case.rule).as_uri()
    opened = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    await client.notify("textDocument/didOpen", {"textDocument": opened})
    await _ask_about_rule(client, uri, text)
    await ask_about_structure(client, uri, text, case.pattern or "a")
    await _try_out(client, folder, uri, case.pattern)
    changed = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text + "\nmore"}]}
    await client.notify("textDocument/didChange", changed)
    await client.request("diagnostic after a change", "textDocument/diagnostic", {"textDocument": {"uri": uri}})
    count(client, uri, text, folder)
    await _follow(client, folder, uri)
    await ask_about_runs(client, folder, case.pattern or "a")
    await _configure(client, folder, case.pattern or "a")
    await client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    await client.end()
    return client


async def _ask_about_rule(client: ServerClient, uri: str, text: str) -> None:
    document = {"textDocument": {"uri": uri}}
    report = await client.request("diagnostic", "textDocument/diagnostic", document)
    lines = text.split("\n")
    for line in sorted({*range(min(5, len(lines))), *(len(lines) * part // 6 for part in range(6))}):
        length = len(lines[line])
        for character in sorted({0, 5, length // 2, max(0, length - 3)}):
            place = {**document, "position": {"line": line, "character": character}}
            await client.request("hover", "textDocument/hover", place)
        await client.request("completion", "textDocument/completion", place)
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines) - 1, "character": 0}}
    wanted = {**document, "range": everywhere, "context": {"diagnostics": []}}
    await client.request("code action", "textDocument/codeAction", wanted)
    found: list[Any] = report["items"]
    await client.request(
        "code action for all", "textDocument/codeAction", {**wanted, "context": {"diagnostics": found}}
    )
    if found:
        here = {**document, "range": found[-1]["range"], "context": {"diagnostics": found[-1:]}}
        await client.request("code action for one", "textDocument/codeAction", here)


async def _try_out(client: ServerClient, folder: Path, uri: str, pattern: str) -> None:
    async def try_on(name: str, tried: dict[str, object]) -> None:
        await client.execute(name, "ttsr.test", tried)

    for path in ("src/near.txt", "src/code.ts"):
        text = (folder / path).read_text()
        await try_on("try-out", {"text": text, "uri": uri})
        await try_on("try-out of all", {"text": text, "uri": (folder / path).as_uri(), "rules": None})
    if pattern:
        await try_on("try-out of arguments", {"text": pattern, "uri": uri, "source": "tool", "tool": pattern})
        await try_on("try-out at a path", {"text": pattern, "path": pattern, "rules": ["rule", *[pattern] * 100]})


async def _follow(client: ServerClient, folder: Path, uri: str) -> None:
    """Has the server follow a session log, and sends it the same records."""
    log = (folder / SESSION).read_bytes()
    logs = workspace_folder(state_home(os.environ, Path.home()), workspace_root(folder))
    logs.mkdir(parents=True, exist_ok=True)
    session_file(logs, 1, "s").write_bytes(log)
    target = (folder / "src/code.ts").as_uri()
    await client.notify("ttsr/didOpen", {"uri": target, "version": 1, "text": (folder / "src/code.ts").read_text()})
    await client.notify("initialized", {})
    await client.request("diagnostic with triggers", "textDocument/diagnostic", {"textDocument": {"uri": uri}})
    await client.request("diagnostic of a target", "textDocument/diagnostic", {"textDocument": {"uri": target}})
    records: list[object] = []
    for line in log.splitlines()[1:]:
        try:
            records.append(json.loads(line))
        except (ValueError, RecursionError):
            records.append(line.decode(errors="replace"))
    await client.notify("ttsr/events", {"workspace": folder.as_uri(), "records": records})
    await client.request("diagnostic with events", "textDocument/diagnostic", {"textDocument": {"uri": uri}})
    await client.execute("clear triggers", "ttsr.clearTriggers")
    await client.notify("ttsr/didClose", {"uri": target})


async def _configure(client: ServerClient, folder: Path, pattern: str) -> None:
    settings = {"ttsr": {"notifications": pattern, pattern: [pattern] * 10}}
    await client.notify("workspace/didChangeConfiguration", {"settings": settings})
    changes = [{"uri": (folder / f".omp/rules/r{number}.md").as_uri(), "type": 1} for number in range(_MANY)]
    await client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    added = [{"uri": f"file:///{pattern}", "name": pattern}, {"uri": folder.as_uri() + "/src", "name": "src"}]
    event = {"added": added, "removed": []}
    await client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
