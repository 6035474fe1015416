"""The command lines that are measured. `NOT_MEASURED` has the commands that are not, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from tests.hostile.hostile_cases import ACP_INPUT, MCP_INPUT, MODEL, SESSION, Case
from tests.hostile.played_agents import ACP_PROGRAM, PI_PROGRAM
from tests.hostile.served_clients import HOOK_CALLS, PORT, Client, proxy_client

NOT_MEASURED = {
    "completions": "reads nothing but its arguments",
    "hooks ensure": "reads the address of the server, and starts `hooks serve`",
    "hooks stop": "reads the address of the server",
    "hooks status": "reads the address of the server",
    "serve": "its requests are measured one by one, by `server_requests`",
}


_HOOKED = ("claude", "codex", "gemini", "cursor", "vscode")


class CommandLine(Struct, frozen=True):
    """The arguments of a command, the file of the case that is its standard input, and the client of a server.

    `is_edited`: an editor sends the input, and closes it at the end of the agent's output.
    """

    arguments: tuple[str, ...]
    stdin: str | None = None
    is_edited: bool = False
    client: Client | None = None


def command_lines(case: Case, folder: Path, models: str) -> Mapping[str, CommandLine]:
    """The command lines for a case in `folder`, by a name. `models` is the URL of the model server."""
    rule = case.rule
    nearest = ("--file", "src/near.txt")
    url = f"{models}{folder}"
    judge = ("--judge", "judge", "--judge-provider", "anthropic", "--judge-base-url", url)
    agent = ("agent", "--base-url", url, "--model", "m", *judge, "--yes", "-p", "go")
    found: dict[str, tuple[str, ...]] = {
        "check": ("check", rule),
        "check everything": ("check",),
        "check --fix": ("check", "--fix", "--unsafe-fixes", "--diff", rule),
        "check sarif": ("check", "--format", "sarif", rule),
        "explain": ("explain", rule),
        "list": ("list", "--all"),
        "list --json": ("list", "--json"),
        "test": ("test", "-v", *nearest),
        "test code": ("test", "-v", "-r", rule, "--file", "src/code.ts", "-p", "src/code.ts"),
        "test reference": ("test", "-v", "--matching", "reference", "--chunk", "100", *nearest),
        "why": ("why", "rule", *nearest),
        "why of a file": ("why", rule, "--source", "tool", "-p", "src/code.ts", "--file", "src/code.ts", "--json"),
        "scan": ("scan", ".", "-v"),
        "watch": ("watch", "--from", "claude", "agent.jsonl"),
        "watch reference": ("watch", "--from", "claude", "--matching", "reference", "--no-log", "agent.jsonl"),
        "replay": ("replay", "agent.jsonl", "--jobs", "1"),
        "sessions show": ("sessions", "show", "--full", SESSION),
        "sessions export": ("sessions", "export", SESSION),
        "convert to pi": ("convert", "--to", "pi-ttsr", rule),
        "convert to omp": ("convert", "--to", "omp", rule),
        "convert to cursor": ("convert", "--to", "cursor", rule),
        "convert to github": ("convert", "--to", "github", rule),
        "convert to windsurf": ("convert", "--to", "windsurf", rule),
        "convert to cline": ("convert", "--to", "cline", rule),
        "convert to claude": ("convert", "--to", "claude", rule),
        "scan junit": ("scan", ".", "--format", "junit"),
        "test of rules": ("test", "."),
        "sessions list": ("sessions", "list"),
        "sessions prune": ("sessions", "prune", "--dry-run"),
        "quiet": ("quiet",),
        "init": ("init", "--yes"),
        "install": ("install", "claude", "--project"),
        "install for the user": ("install", *_HOOKED, "--dry-run"),
        "uninstall": ("uninstall", *_HOOKED),
        "doctor": ("doctor", *_HOOKED, "--no-agent"),
        "run": ("run", "pi", "--program", PI_PROGRAM, "--prompt", "go", "--silence", "30"),
        "new": ("new", "fresh"),
        "demo": ("demo", "--speed", "1000000"),
        "schema": ("schema", "rule"),
        "agent": (*agent, "--context-window", "0"),
        "agent that goes on": (*agent, "--continue", SESSION),
        **{
            f"agent of {provider}": (*agent, "--provider", provider, "--no-log")
            for provider, path in MODEL.items()
            if provider != "anthropic" and path in case.files
        },
    }
    if not rule.startswith((".omp", ".pi")):
        del found["why of a file"]
    if case.pattern:
        found |= _arguments(case.pattern)
        # They read nothing of the rule.
        del found["demo"], found["schema"]
    lines = {name: CommandLine(arguments) for name, arguments in found.items()}
    lines["mcp"] = CommandLine(("mcp",), MCP_INPUT)
    lines["mcp that goes on"] = CommandLine(("mcp", "--log", SESSION), MCP_INPUT)
    lines["acp"] = CommandLine(("acp", "--", ACP_PROGRAM), ACP_INPUT, is_edited=True)
    lines["hooks serve"] = CommandLine(("hooks", "serve", "--port", PORT), client=Client(HOOK_CALLS))
    upstreams = [f"--upstream={name}={url}" for name in ("anthropic", "openai", "gemini")]
    lines["proxy"] = CommandLine(("proxy", "--port", PORT, *upstreams), client=proxy_client())
    return lines


def _arguments(pattern: str) -> dict[str, tuple[str, ...]]:
    """Commands that are given the pattern as an argument."""
    return {
        "check of an argument": ("check", "--", pattern),
        "check --select": ("check", f"--select={pattern}"),
        "explain of an argument": ("explain", "--", pattern),
        "why of an argument": ("why", "--", pattern),
        "why --text": ("why", "rule", f"--text={pattern}", f"--path={pattern}", f"--tool={pattern}"),
        "test of an argument": ("test", "-v", "--source=tool", f"--tool={pattern}", f"-p{pattern}", "--", pattern),
        "quiet of an argument": ("quiet", "--for", "1h", "--", pattern),
        "new of an argument": ("new", "--", pattern),
        "unknown command": (pattern,),
    }
