"""A costly pattern in an open file holds up nobody: not the hover, not the other documents, not the process's end."""

from __future__ import annotations

import asyncio
import time

from tests.lsp.talk import Talk
from tests.processor_time import is_below

# Each is exponential or at least a high polynomial for a plain backtracking matcher.
HOSTILE = "---\ncondition:\n" + "".join(
    f"  - '{pattern}$'\n" for pattern in ("(a+)+", "(a|a)*b", "(.*a){20}", "(?:(x+x+)+y)", "(?=(a+))a*b\\1{3}")
)
HOSTILE += "---\nno\n"
PLAIN = "---\ncondition: 'as any;'\n---\nno\n"
# A pattern that held the interpreter would hold it for ten seconds; on a busy machine an answer can take some.
LIMIT = 8.0


async def test_hover_answers_while_patterns_are_examined(vscode: Talk) -> None:
    uri = vscode.open("plain.md", PLAIN)
    await vscode.pull(uri)
    await vscode.hover(uri, 1, 16)
    hostile = vscode.open("hostile.md", HOSTILE)
    examined = asyncio.ensure_future(vscode.pull(hostile))
    slowest = 0.0
    for number in range(20):
        vscode.change(hostile, HOSTILE + "a" * number)
        began = time.perf_counter()
        assert await vscode.hover(uri, 1, 16) is not None
        slowest = max(slowest, time.perf_counter() - began)
    assert is_below(slowest, LIMIT, time.perf_counter)
    await examined


async def test_other_documents_are_checked_during_a_costly_check(vscode: Talk) -> None:
    hostile = vscode.open("hostile.md", HOSTILE)
    examined = asyncio.ensure_future(vscode.pull(hostile))
    plain = vscode.open("plain.md", PLAIN)
    await vscode.pull(plain)
    began = time.perf_counter()
    vscode.change(plain, PLAIN + "more\n")
    await vscode.pull(plain)
    assert is_below(time.perf_counter() - began, LIMIT, time.perf_counter)
    await examined


async def test_a_trial_of_a_costly_rule_ends(vscode: Talk) -> None:
    uri = vscode.open("hostile.md", HOSTILE)
    result = await vscode.run("ttsr.test", {"uri": uri, "text": "a" * 5_000 + "!"})
    assert result["rules"][0]["name"] == "hostile"
