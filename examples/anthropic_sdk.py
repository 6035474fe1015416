"""An agent on the Anthropic SDK that reads files, with rules.

Run it with `python anthropic_sdk.py "What is in README.md?"`.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from anthropic import AsyncAnthropic
from anthropic.types import ToolParam

from ttsr_ls import Session

READ: ToolParam = {
    "name": "read",
    "description": "Reads a file.",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
}


async def main(prompt: str) -> None:
    client = AsyncAnthropic()
    model = os.environ.get("MODEL", "claude-sonnet-4-5")
    session = await Session.open(rules=[Path(".omp/rules")], log=Path("session.jsonl"), api="anthropic")
    async with session, session.turn(prompt) as turn:
        async for request in turn:
            stream = client.messages.create(
                model=model, max_tokens=4096, stream=True, messages=request.messages, tools=[READ, *request.tools]
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
