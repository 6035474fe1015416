"""Real texts of the kinds that agents write and read, each in two parts that have no text in common.

Python code and prose are read from the standard library of the running Python, TypeScript, minified JavaScript, and CJK
text from `data/` (`data/NOTICE.md`). Base64 is the encoding of compressed standard library modules. Logs are generated
(`generated_logs`), as no collection of real logs can be redistributed.
"""

from __future__ import annotations

import base64
import sysconfig
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from pydoc_data.topics import topics

from benchmarks.generated_logs import logs

PARTS = 2
_DATA = Path(__file__).with_name("data")
_PYTHON_CODE = (("subprocess.py", "shutil.py", "http/client.py"), ("argparse.py", "inspect.py"))
_COMPRESSED = (("typing.py", "tarfile.py", "turtle.py"), ("doctest.py", "pdb.py", "imaplib.py", "smtplib.py", "ssl.py"))
_LOG_SIZE = 100_000


def _modules(names: tuple[str, ...]) -> str:
    folder = Path(sysconfig.get_path("stdlib"))
    return "".join((folder / name).read_text(encoding="utf-8") for name in names)


def _half_of_file(name: str, part: int) -> str:
    text = (_DATA / name).read_text(encoding="utf-8")
    return text[len(text) * part // PARTS : len(text) * (part + 1) // PARTS]


def _prose(part: int) -> str:
    names = sorted(topics)
    return "\n".join(topics[name] for name in names[part::PARTS])


def _base64(part: int) -> str:
    return base64.encodebytes(zlib.compress(_modules(_COMPRESSED[part]).encode(), 9)).decode()


_MAKERS: dict[str, Callable[[int], str]] = {
    "python": lambda part: _modules(_PYTHON_CODE[part]),
    "typescript": lambda part: _half_of_file("typescript.txt", part),
    "prose": _prose,
    "minified": lambda part: _half_of_file("minified.txt", part),
    "base64": _base64,
    "cjk": lambda part: _half_of_file("cjk.txt", part),
    "logs": lambda part: logs(_LOG_SIZE, seed=part),
}
KINDS = tuple(_MAKERS)


@cache
def real_text(kind: str, part: int = 0) -> str:
    """Part 0 or 1 of the texts of a kind, at least 40,000 characters."""
    return _MAKERS[kind](part)
