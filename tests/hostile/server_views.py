"""Asks a language server what an editor shows beside the text of a rule: its structure, trials, tests, and runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.hostile.hostile_cases import AGENT_OUTPUT, RULE_TESTS, triggered
from tests.hostile.server_client import ServerClient
from ttsr_ls.lsp.match_counts.counting import count_matches
from ttsr_ls.lsp.match_counts.match_count import CountRequest
from ttsr_ls.lsp.uris import path_of
from ttsr_ls.session.history.turn_events import TurnStarted, UserInput
from ttsr_ls.store.log.codec import Record, encode_record

_STRUCTURE = ("documentSymbol", "foldingRange", "documentLink", "codeLens", "semanticTokens/full")


async def ask_about_structure(client: ServerClient, uri: str, text: str, pattern: str) -> None:
    """Asks for all that is shown of an open rule, for its names, its matches, and its tests."""
    document: dict[str, Any] = {"textDocument": {"uri": uri}}
    lines = text.split("\n")
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines) - 1, "character": 0}}
    for name in _STRUCTURE:
        await client.request(name, f"textDocument/{name}", document)
    for name in ("inlayHint", "semanticTokens/range"):
        await client.request(name, f"textDocument/{name}", {**document, "range": everywhere})
    last = len(lines) // 2
    places = [{"line": line, "character": min(8, len(lines[line]))} for line in sorted({0, min(1, last), last})]
    await client.request("selectionRange", "textDocument/selectionRange", {**document, "positions": places})
    for place in places:
        at = {**document, "position": place}
        await client.request("definition", "textDocument/definition", at)
        await client.request("prepareRename", "textDocument/prepareRename", at)
        references = {**at, "context": {"includeDeclaration": True}}
        await client.request("references", "textDocument/references", references)
        await client.request("rename", "textDocument/rename", {**at, "newName": pattern[:10_000]})
    renamed = {"oldUri": uri, "newUri": uri.rpartition("/")[0] + f"/{pattern[:100]}.md"}
    await client.request("willRenameFiles", "workspace/willRenameFiles", {"files": [renamed] * 100})
    await client.request("symbols", "workspace/symbol", {"query": pattern})
    await client.request("workspace diagnostic", "workspace/diagnostic", {"previousResultIds": []})
    await client.request("rule matches", "ttsr/ruleMatches", {"uri": uri})
    await client.request("rule tests", "ttsr/ruleTests", {})
    await client.request("rule tests that run", "ttsr/ruleTests", {"uris": [uri], "run": True})


async def ask_about_runs(client: ServerClient, folder: Path, pattern: str) -> None:
    """Tries texts, hosts an agent, and asks for its runs and their transcripts."""
    workspace, rule_tests = folder.as_uri(), (folder / RULE_TESTS).as_uri()
    near = (folder / "src/near.txt").read_text()
    await client.request("text", "ttsr/testText", {"text": near, "textDocument": {"uri": rule_tests}})
    hostile = {"text": pattern, "kind": "tool", "tool": pattern, "path": pattern, "rules": [pattern] * 10, "chunk": 1}
    await client.request("text of a pattern", "ttsr/testText", hostile)
    output = (folder / AGENT_OUTPUT).read_bytes().decode(errors="replace")
    named = {"session": "hosted", "workspace": workspace}
    await client.notify("ttsr/stream", {**named, "from": "claude", "data": output, "end": True})
    for event in (TurnStarted(pattern[:1_000], UserInput(pattern)), triggered(pattern, f"src/{pattern}")):
        encoded = json.loads(encode_record(Record(1, 1, event)))["event"]
        await client.notify("ttsr/event", {**named, "agent": pattern[:200], "event": encoded})
    shown = await client.execute("runs", "ttsr.runs")
    for uri in (*_transcripts(shown), f"ttsr-transcript:{pattern}"):
        await client.execute("transcript", "ttsr.transcript", {"uri": uri})
    await client.execute("silence", "ttsr.silence", {"session": pattern, "rule": pattern})
    await client.execute("documentation", "ttsr.documentation", f"ttsr-docs:/findings/{pattern}.md")
    await client.execute("show documentation", "ttsr.showDocumentation", f"ttsr-docs:/findings/{pattern}.md")
    await client.execute("clear runs", "ttsr.clearRuns")


def count(client: ServerClient, uri: str, text: str, folder: Path) -> None:
    """Counts the matches of a rule in the workspace, as the process does that a code lens starts."""
    with client.measured("count of matches"):
        count_matches(CountRequest(path_of(uri), text, str(folder), "utf-16", {}))


def _transcripts(shown: Any) -> list[str]:
    """The URIs in the tree of runs."""
    match shown:
        case dict():
            own = [value for key, value in shown.items() if key == "uri" and isinstance(value, str)]
            return [*own, *(uri for value in shown.values() for uri in _transcripts(value))][:20]
        case list():
            return [uri for item in shown for uri in _transcripts(item)][:20]
        case _:
            return []
