"""Generates logs in six common formats: access logs, syslog, JSON lines, test runs, package installs, tracebacks."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from random import Random

from benchmarks.vocabulary import ORDINARY

_MODULES = sorted(name for name in sys.stdlib_module_names if not name.startswith("_"))
_AGENTS = (
    "curl/8.5.0",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "python-requests/2.32",
)
_START = datetime(2025, 3, 1, 8, 0, 0)


def logs(size: int, seed: int) -> str:
    """`size` characters of logs. A format is kept for 5 to 40 lines."""
    random = Random(seed)
    now = _START + timedelta(days=seed)
    lines: list[str] = []
    length = 0
    while length < size:
        form = random.choice(_FORMS)
        for _ in range(random.randint(5, 40)):
            now += timedelta(milliseconds=random.expovariate(0.002))
            line = form(random, now)
            lines.append(line)
            length += len(line) + 1
    return "\n".join(lines)[:size]


def _sentence(random: Random) -> str:
    return " ".join(random.choice(ORDINARY) for _ in range(random.randint(3, 9)))


def _path(random: Random) -> str:
    return "/".join(random.choice(ORDINARY) for _ in range(random.randint(1, 4)))


def _access(random: Random, now: datetime) -> str:
    address = ".".join(str(random.randint(1, 254)) for _ in range(4))
    request = f"{random.choice(('GET', 'GET', 'GET', 'POST', 'DELETE'))} /{_path(random)}?page={random.randint(1, 99)}"
    status, sent = random.choice((200, 200, 200, 304, 404, 500)), random.randint(100, 99_999)
    client = f"{address} - - [{now:%d/%b/%Y:%H:%M:%S} +0000]"
    return f'{client} "{request} HTTP/1.1" {status} {sent} "-" "{random.choice(_AGENTS)}"'


def _syslog(random: Random, now: datetime) -> str:
    program = f"{random.choice(ORDINARY)}d[{random.randint(300, 32_000)}]"
    return f"{now:%b %d %H:%M:%S} host-{random.randint(1, 20)} {program}: {_sentence(random)}"


def _json_line(random: Random, now: datetime) -> str:
    level = random.choice(("info", "info", "debug", "warn", "error"))
    trace = f"{random.getrandbits(128):032x}"
    return (
        f'{{"time":"{now.isoformat(timespec="milliseconds")}Z","level":"{level}","logger":"{random.choice(_MODULES)}",'
        f'"msg":"{_sentence(random)}","trace_id":"{trace}","elapsed_ms":{random.random() * 900:.2f}}}'
    )


def _test_run(random: Random, now: datetime) -> str:
    outcome = random.choice(("PASSED", "PASSED", "PASSED", "SKIPPED", "FAILED"))
    name = "_".join(random.choice(ORDINARY) for _ in range(random.randint(2, 5)))
    path = f"tests/{random.choice(_MODULES)}/test_{random.choice(ORDINARY)}.py"
    return f"{path}::test_{name} {outcome} [{random.randint(1, 100):3}%]"


def _install(random: Random, now: datetime) -> str:
    version = ".".join(str(random.randint(0, 20)) for _ in range(3))
    action = random.choice(("Collecting", "Downloading", "Unpacking", "Setting up", "Requirement already satisfied:"))
    return f"{action} {random.choice(ORDINARY)}-{random.choice(ORDINARY)}=={version} ({random.randint(1, 9000)} kB)"


def _traceback(random: Random, now: datetime) -> str:
    frame = f'  File "/srv/{_path(random)}.py", line {random.randint(1, 2000)}, in {random.choice(ORDINARY)}'
    if random.random() < 0.2:
        error = f"{random.choice(ORDINARY).title()}Error"
        return f"{now:%Y-%m-%d %H:%M:%S,%f} ERROR {random.choice(_MODULES)}: {error}: {_sentence(random)}"
    call = f"{random.choice(_MODULES)}.{random.choice(ORDINARY)}({random.choice(ORDINARY)})"
    return f"{frame}\n    {random.choice(ORDINARY)} = {call}"


_FORMS = (_access, _syslog, _json_line, _test_run, _install, _traceback)
