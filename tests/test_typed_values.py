"""Several threads can read values of declared types at the same time."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest

from ttsr_ls.typed_values import convert_value, json_decoder

# Of hundreds of new types, one or two are enough for a crash where nothing keeps the threads apart.
THREADS = """
import sys, threading, types
from ttsr_ls.typed_values import convert_value, json_decoder

TYPES = '''
from __future__ import annotations
import msgspec
class Inner(msgspec.Struct, frozen=True):
    number: int
    text: str | None
class Outer(msgspec.Struct, frozen=True):
    listed: list[Inner]
    named: dict[str, Inner] | None
    pair: tuple[Inner, ...]
'''
VALUE = {"listed": [{"number": 1, "text": "x"}], "named": None, "pair": []}

sys.setswitchinterval(1e-6)
read = []
for number in range(300):
    module = sys.modules[f"types{number}"] = types.ModuleType(f"types{number}")
    exec(TYPES, module.__dict__)
    together = threading.Barrier(4)

    def run(function):
        together.wait()
        read.append(function())

    functions = [
        lambda: convert_value(VALUE, module.Outer),
        lambda: convert_value(VALUE["listed"], list[module.Inner]),
        lambda: json_decoder(module.Outer).decode(b'{"listed": [], "named": null, "pair": []}'),
        lambda: json_decoder(module.Inner).decode(b'{"number": 1, "text": null}'),
    ]
    threads = [threading.Thread(target=run, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(len(read))
"""


def test_threads_can_read_values_of_a_new_type_concurrently() -> None:
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1200\n", "")


def test_a_value_of_another_type_is_rejected() -> None:
    with pytest.raises(msgspec.ValidationError):
        convert_value({"a": 1}, list[int])
    with pytest.raises(msgspec.ValidationError):
        json_decoder(int).decode(b'"1"')
    assert convert_value("1", int, strict=False) == 1
