"""What the proxy adds to each event, beside a bare aiohttp pass-through in the same run; and many streams at once.

`python -m benchmarks.proxy [--events N] [--streams N] [--seconds N]`. Upstream sends the time with each event; all
processes are on one machine and share its clock. Rules look at each event, and nothing is held back (`window=0`).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import aiohttp
from aiohttp import web

from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.serving.open_sessions import ProxyWorkspace
from ttsr_ls.bridge.proxy.serving.routes import ProxyRoutes
from ttsr_ls.bridge.proxy.serving.server import ProxyOptions, ProxyServer

RULES = 10
PATH_KEY = "bench"
BODY = {"model": "m", "max_tokens": 1, "stream": True, "tools": [{"name": "t"}]}


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


async def _upstream(request: web.Request) -> web.StreamResponse:
    asked = await request.json()
    count, pause = asked["metadata"]["count"], asked["metadata"]["pause"]
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    await response.write(_event("message_start", message={"content": [], "usage": {}}))
    await response.write(_event("content_block_start", index=0, content_block={"type": "text", "text": ""}))
    for number in range(count):
        said = f"word{number} at {time.monotonic_ns()} and so on "
        await response.write(_event("content_block_delta", index=0, delta={"type": "text_delta", "text": said}))
        await asyncio.sleep(pause)
    await response.write(_event("content_block_stop", index=0))
    await response.write(_event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 1}))
    await response.write(_event("message_stop"))
    return response


def _bare(upstream: str) -> Callable[[web.Request], object]:
    async def handle(request: web.Request) -> web.StreamResponse:
        body = await request.read()
        async with aiohttp.ClientSession() as session, session.post(f"{upstream}/v1/messages", data=body) as answer:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            async for data in answer.content.iter_any():
                await response.write(data)
            return response

    return handle


async def _serve(handler: object, ready: Connection) -> None:
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", handler)  # type: ignore[arg-type]
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    ready.send(f"http://127.0.0.1:{runner.addresses[0][1]}")
    await asyncio.Event().wait()


async def _serve_proxy(upstream: str, folder: str, ready: Connection) -> None:
    options = ProxyOptions(limits=ProxyLimits(window=0))
    workspace = ProxyWorkspace("bench", Path(folder))
    server = ProxyServer(ProxyRoutes(PATH_KEY, {"anthropic": upstream}), workspace, options, lambda _: None)
    await server.start()
    ready.send(f"http://127.0.0.1:{server.port}/s/{PATH_KEY}/anthropic")
    await asyncio.Event().wait()


def _run_upstream(ready: Connection) -> None:
    asyncio.run(_serve(_upstream, ready))


def _run_bare(ready: Connection, upstream: str) -> None:
    asyncio.run(_serve(_bare(upstream), ready))


def _run_proxy(ready: Connection, upstream: str, folder: str) -> None:
    os.environ["XDG_STATE_HOME"] = folder
    asyncio.run(_serve_proxy(upstream, folder, ready))


def _started(target: Callable[..., None], *arguments: str) -> tuple[multiprocessing.Process, str]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=target, args=(theirs, *arguments), daemon=True)
    process.start()
    return process, ours.recv()  # type: ignore[return-value]


async def _stream(session: aiohttp.ClientSession, base: str, count: int, pause: float, who: str) -> list[float]:
    """The latencies of one stream's events, in microseconds."""
    body = {**BODY, "metadata": {"count": count, "pause": pause}, "messages": [{"role": "user", "content": who}]}
    found: list[float] = []
    held = b""
    async with session.post(f"{base}/v1/messages", json=body) as answer:
        async for data in answer.content.iter_any():
            now = time.monotonic_ns()
            *frames, held = (held + data).split(b"\n\n")
            found += [(now - int(frame.split(b" at ")[1].split()[0])) / 1000 for frame in frames if b" at " in frame]
    return found


async def measured(bases: dict[str, str], events: int, rounds: int) -> dict[str, list[float]]:
    """The latencies behind each base address, taken in turns."""
    found: dict[str, list[float]] = {name: [] for name in bases}
    async with aiohttp.ClientSession() as session:
        for _ in range(rounds):
            for name, base in bases.items():
                found[name] += (await _stream(session, base, events // rounds, 0.005, name))[5:]
    return found


async def loaded(base: str, streams: int, seconds: float) -> int:
    """How many events of so many streams at once did not arrive."""
    count = int(seconds / 0.1)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        tasks = [_stream(session, base, count, 0.1, f"stream {number}") for number in range(streams)]
        return streams * count - sum(len(each) for each in await asyncio.gather(*tasks))


def memory(process: multiprocessing.Process) -> int:
    """The resident memory of a process, in KiB; 0 where the system does not say."""
    with suppress(OSError):
        for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return 0


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=4000)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder) / ".omp" / "rules"
        rules.mkdir(parents=True)
        for number in range(RULES):
            (rules / f"r{number}.md").write_text(f"---\ncondition: 'never{number}\\b'\n---\nNo.\n")
        upstream, address = _started(_run_upstream)
        bare, bare_address = _started(_run_bare, address)
        proxy, proxy_address = _started(_run_proxy, address, folder)
        bases = {"direct": address, "bare aiohttp": bare_address, "ttsr-ls proxy": proxy_address}
        found = asyncio.run(measured(bases, args.events, 10))
        for name, values in found.items():
            cuts = statistics.quantiles(values, n=100)
            print(f"{name:14} p50 {cuts[49]:7.0f} µs   p99 {cuts[98]:7.0f} µs   of {len(values)} events")
        for _ in range(3):  # The first fills pools; memory is flat if the others add nothing.
            lost = asyncio.run(loaded(proxy_address, args.streams, args.seconds / 3))
            print(f"{args.streams} streams for {args.seconds / 3:g} s: {lost} events lost, {memory(proxy)} KiB")
        for process in (upstream, bare, proxy):
            process.kill()
            process.join()


if __name__ == "__main__":
    main()
