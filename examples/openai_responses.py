"""An agent on OpenAI's Responses API that reads files, with rules.

Run it with `python openai_responses.py "What is in README.md?"`.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from openai import AsyncOpenAI
from openai.types.responses import FunctionToolParam

from ttsr_ls import Session

READ: FunctionToolParam = {
    "type": "function",
    "name": "read",
    "description": "Reads a file.",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    "strict": False,
}


async def main(prompt: str) -> None:
    client = AsyncOpenAI()
    model = os.environ.get("MODEL", "gpt-5-mini")
    session = await Session.open(rules=[Path(".omp/rules")], log=Path("session.jsonl"), api="openai-responses")
    async with session, session.turn(prompt) as turn:
        async for request in turn:
            # The log is the history: nothing is kept at the provider, and reasoning goes back sealed.
            stream = client.responses.create(
                model=model, stream=True, store=False, include=["reasoning.encrypted_content"],
                input=request.messages, tools=[READ, *request.tools],
            )  # fmt: skip
            async for event in request.watch(stream):
                if event.type == "response.output_text.delta":
                    print(event.delta, end="", flush=True)
            for call in request.calls:
                await request.result(call.id, read(json.loads(call.arguments)))
    print()


def read(arguments: dict[str, str]) -> str:
    return Path(arguments["path"]).read_text()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
