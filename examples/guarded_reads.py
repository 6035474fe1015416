"""An agent that reads files, with a feature that decides about each call before it runs.

Run it with `python guarded_reads.py "What is in README.md?"`.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from anthropic import AsyncAnthropic
from anthropic.types import ToolParam

from ttsr_ls import ChangeInput, Deny, Feature, Proceed, Session, ToolCallContext, ToolCallResult

READ: ToolParam = {
    "name": "read",
    "description": "Reads a file.",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
}


class Guard(Feature):
    """Keeps secrets to itself, and has paths looked up in the current folder."""

    name = "guard"

    async def before_tool_call(self, context: ToolCallContext) -> ToolCallResult:
        path = Path(json.loads(context.arguments)["path"])
        if path.name == ".env":
            return Deny("Files with secrets are not read. Ask the person for what you need.")
        if path.is_absolute():
            return ChangeInput(json.dumps({"path": path.name}))
        return Proceed()


async def main(prompt: str) -> None:
    client = AsyncAnthropic()
    model = os.environ.get("MODEL", "claude-sonnet-4-5")
    session = await Session.open(rules=[Path(".omp/rules")], log=Path("session.jsonl"), features=[Guard()])
    async with session, session.turn(prompt) as turn:
        async for request in turn:
            stream = client.messages.create(
                model=model, max_tokens=4096, stream=True, messages=request.messages, tools=[READ]
            )
            async for event in request.watch(stream):
                if event.type == "content_block_delta" and event.delta.type == "text_delta":
                    print(event.delta.text, end="", flush=True)
            for call in request.calls:
                await request.result(call.id, read(json.loads(call.arguments)))
    print()


def read(arguments: dict[str, str]) -> str:
    return Path(arguments["path"]).read_text()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
