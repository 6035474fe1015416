"""An agent on the OpenAI SDK that reads files, with rules.

Run it with `python openai_sdk.py "What is in README.md?"`.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionFunctionToolParam

from ttsr_ls import Session

READ: ChatCompletionFunctionToolParam = {
    "type": "function",
    "function": {
        "name": "read",
        "description": "Reads a file.",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    },
}


async def main(prompt: str) -> None:
    client = AsyncOpenAI()
    model = os.environ.get("MODEL", "gpt-5-mini")
    session = await Session.open(rules=[Path(".omp/rules")], log=Path("session.jsonl"), api="openai-chat")
    async with session, session.turn(prompt) as turn:
        async for request in turn:
            stream = client.chat.completions.create(
                model=model, stream=True, messages=request.messages, tools=[READ, *request.tools]
            )
            async for chunk in request.watch(stream):
                for choice in chunk.choices:
                    print(choice.delta.content or "", end="", flush=True)
            for call in request.calls:
                await request.result(call.id, read(json.loads(call.arguments)))
    print()


def read(arguments: dict[str, str]) -> str:
    return Path(arguments["path"]).read_text()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
