"""Records the run that `ttsr-ls demo` plays: a real Claude Code against a scripted model on loopback.

    python -m tests.recorders.record_claude_demo PATH/TO/claude ttsr_ls/bridge/recordings/claude-demo.jsonl

Every line of the recording is `{"t": milliseconds since the first, "line": what Claude Code printed}`. Folders and ids
are replaced, and of `system` and `result` lines only what says something about the run is kept.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.recorders.messages_server import MessagesServer, Text, Thinking, ToolUse

PROJECT = "/home/dev/shop"
PROMPT = "Supplier prices come in as CSV. Load them into the shop and show the cheapest offer in the cart."

FIRST_PRICES = """import csv


def load_prices(path, prices={}):
    with open(path) as file:
        for row in csv.DictReader(file):
            try:
                prices[row["sku"]] = float(row["price"])
            except:
                continue
    return prices
"""

OLD_PART = """def load_prices(path, prices={}):
    with open(path) as file:
        for row in csv.DictReader(file):
            try:
                prices[row["sku"]] = float(row["price"])
            except:
                continue
    return prices
"""

NEW_PART = """def load_prices(path):
    prices = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            try:
                prices[row["sku"]] = float(row["price"])
            except ValueError as error:
                raise PriceError(row["sku"]) from error
    return prices
"""

CART = """export function cheapest(offers: any[]): Offer | undefined {
  return offers.sort((a, b) => a.price - b.price)[0];
}
"""


def answers(project: str) -> list[list[Thinking | Text | ToolUse]]:
    prices = f"{project}/shop/prices.py"
    return [
        [
            Thinking("A CSV reader first, then the cart. Rows without a number can be skipped for now."),
            Text("You're absolutely right, the shop needs these prices. I'll start with the loader.\n"),
            ToolUse("Write", {"file_path": prices, "content": FIRST_PRICES}),
        ],
        [
            Text("The default is shared between calls, and a bad row vanishes silently. I'll mend both.\n"),
            ToolUse("Edit", {"file_path": prices, "old_string": OLD_PART, "new_string": NEW_PART}),
            ToolUse("Write", {"file_path": f"{project}/web/cart.ts", "content": CART}),
        ],
        [Text("Prices are loaded and the cart shows the cheapest offer. Everything should work now.\n")],
    ]


def main(claude: str, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, project = Path(folder, "home"), Path(folder, "shop")
        home.mkdir()
        project.mkdir()
        subprocess.run(["git", "init", "-q", str(project)], check=True)
        atoms = [f'"file_path": "{project}/{name}"' for name in ("shop/prices.py", "web/cart.ts")]
        server = MessagesServer(answers(str(project)), atoms, seed=7)
        lines = list(run(claude, server.url, home, project))
        server.close()
        if server.served != len(answers("")):
            sys.exit(f"only {server.served} answers were asked for")
        scrubbed = scrub(lines, {str(project): PROJECT, str(home): "/home/dev"})
    target.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in scrubbed))
    print(f"{len(scrubbed)} lines, {scrubbed[-1]['t'] / 1000:.1f} s")


def run(claude: str, url: str, home: Path, project: Path) -> Any:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
    }
    environment |= {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    command = [claude, "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
    command += ["--include-partial-messages", "--replay-user-messages", "--permission-mode", "acceptEdits"]
    process = subprocess.Popen(
        command, cwd=project, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    prompt = {"type": "user", "message": {"role": "user", "content": PROMPT}, "parent_tool_use_id": None}
    process.stdin.write(json.dumps(prompt) + "\n")
    process.stdin.close()
    with process.stdout:
        for line in process.stdout:
            yield time.monotonic(), json.loads(line)
    process.wait(timeout=120)


KEPT = {
    "system": ("type", "subtype", "cwd", "session_id", "model", "permissionMode", "claude_code_version", "status"),
    "result": ("type", "subtype", "is_error", "num_turns", "result", "stop_reason", "terminal_reason", "session_id"),
    "user": ("type", "message", "parent_tool_use_id", "session_id", "isReplay", "isSynthetic"),
    "assistant": ("type", "message", "parent_tool_use_id", "session_id"),
    "stream_event": ("type", "event", "parent_tool_use_id", "session_id"),
}
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def scrub(lines: list[tuple[float, dict[str, Any]]], folders: dict[str, str]) -> list[dict[str, Any]]:
    """The recording: without what is only noise, and without any trace of where it was made."""
    seen: dict[str, str] = {}
    start = lines[0][0]
    recording = []
    for at_line, line in lines:
        kind = line.get("type")
        if kind not in KEPT or line.get("subtype") not in (None, "init", "success"):
            continue
        text = json.dumps({key: line[key] for key in KEPT[kind] if key in line}, ensure_ascii=False)
        for real, shown in folders.items():
            text = text.replace(real, shown)
        text = UUID.sub(lambda match: seen.setdefault(match[0], f"00000000-0000-4000-8000-{len(seen) + 1:012}"), text)
        recording.append({"t": round((at_line - start) * 1000), "line": json.loads(text)})
    return recording


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
