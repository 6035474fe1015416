"""What `watch` finds with rules of pi-ttsr, the editor shows on them."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.lsp.talk import ROOT, Talk, codes, place

SAMPLE = ROOT / "tests" / "samples" / "claude" / "print-partial.jsonl"
RULE = "---\nflags: i\ntrigger: 'import deprecated_module'\n---\nUse new_module.\n"


async def test_a_trigger_of_a_pi_rule_is_marked_on_its_key(vscode: Talk) -> None:
    rules = vscode.folder / ".pi" / "rules"
    rules.mkdir(parents=True)
    (rules / "no-old.md").write_text(RULE)
    uri = vscode.open(str(rules / "no-old.md"), RULE)
    assert codes((await vscode.pull(uri)).items) == []
    home = vscode.folder.parent
    own = {"PYTHONPATH": str(ROOT), "HOME": str(home / "home"), "XDG_STATE_HOME": str(home / "state")}
    subprocess.run(
        [sys.executable, "-m", "ttsr_ls", "watch", "--from", "claude", str(SAMPLE)],
        cwd=vscode.folder,
        env={**os.environ, **own},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (shown,) = (await vscode.push(uri, lambda one: bool(one.diagnostics))).diagnostics
    assert (shown.code, place(shown.range)) == ("triggered", (2, 9, 2, 35))
    assert shown.message.startswith("Rule 'no-old' fired once in this run, on the agent's text: “")
