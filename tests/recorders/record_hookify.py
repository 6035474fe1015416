"""Records what hookify's published engine does with rule files.

    python -m tests.recorders.record_hookify --plugin FOLDER OUTPUT

Writes `hookify.json.gz` (format: tests/vectors/README.md). FOLDER is a checkout of the plugin `hookify` from
https://github.com/anthropics/claude-code (plugins/hookify). Its own hook scripts read the rule files and the calls.
`--seed` and `--count` record other rules; `tests/lint/test_hookify_vectors.py` reads what stands in OUTPUT.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import importlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.recorders import hookify_key_mistakes, hookify_layout_mistakes, hookify_pattern_mistakes  # noqa: F401 - registers mistakes
from tests.recorders.hookify_rules import Call, Draft, rules

SEED = 20261122
COUNT = 400


class Engine:
    """The published plugin, loaded into this process."""

    def __init__(self, plugin: Path) -> None:
        os.environ["CLAUDE_PLUGIN_ROOT"] = str(plugin)
        sys.path[:0] = [str(plugin.parent), str(plugin / "hooks")]
        self._hooks = {name: importlib.import_module(name) for name in ("pretooluse", "stop", "userpromptsubmit")}
        self._loader = importlib.import_module("hookify.core.config_loader")

    def frontmatter(self, text: str) -> Any:
        """What the engine reads of the frontmatter."""
        return self._loader.extract_frontmatter(text.replace("\r\n", "\n").replace("\r", "\n"))[0]

    def answers(self, path: str, text: str, calls: list[Call], message: str) -> dict[str, Any]:
        """What the hook scripts answer for calls to a rule with this message.

        `warned` is whether the engine printed a warning.
        """
        before = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
            os.chdir(folder)
            try:
                is_on = self._is_on(path)
                results = [self._answer(call, Path(folder), message) for call in calls]
            finally:
                os.chdir(before)
        return {
            "is_on": is_on,
            "answers": [answer for answer, _ in results],
            "warned": any(stderr for _, stderr in results),
        }

    def _is_on(self, path: str) -> bool:
        """Returns whether the engine loads the file and takes the rule to be switched on."""
        with contextlib.redirect_stderr(io.StringIO()):
            rule = self._loader.load_rule_file(path)
        return rule is not None and bool(rule.enabled)

    def _answer(self, call: Call, folder: Path, message: str) -> tuple[str, str]:
        name, sent = "pretooluse", {"hook_event_name": "PreToolUse", **call}
        transcript = folder / "transcript.jsonl"
        transcript.write_text(call.get("transcript", ""))
        if "transcript" in call:
            name, sent = "stop", {"hook_event_name": "Stop", "stop_hook_active": False}
        elif "prompt" in call:
            name, sent = "userpromptsubmit", {"hook_event_name": "UserPromptSubmit", "prompt": call["prompt"]}
        sent |= {"session_id": "s", "cwd": str(folder), "transcript_path": str(transcript)}
        out, err = io.StringIO(), io.StringIO()
        stdin, sys.stdin = sys.stdin, io.StringIO(json.dumps(sent))
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.suppress(SystemExit):
                self._hooks[name].main()
        finally:
            sys.stdin = stdin
        return _kind(json.loads(out.getvalue()), message), err.getvalue()


def _kind(answer: dict[str, Any], message: str) -> str:
    """`silent`, `warn`, `block`, `fail` where the engine failed, or `garbled` where it shows another message."""
    if not answer:
        return "silent"
    shown = str(answer.get("systemMessage", ""))
    if shown.startswith("Hookify error"):
        return "fail"
    if shown.partition("\n")[2].strip() != message:
        return "garbled"
    is_denied = answer.get("hookSpecificOutput", {}).get("permissionDecision") == "deny"
    return "block" if is_denied or answer.get("decision") == "block" else "warn"


def record(engine: Engine, draft: Draft) -> dict[str, Any]:
    """One vector: the file, the calls with what a reader expects, and what the engine did."""
    calls = [*draft.intent.fires, *draft.intent.silent]
    expected = ["silent" if not expects_firing(draft) else draft.intent.action] * len(draft.intent.fires)
    expected += ["silent"] * len(draft.intent.silent)
    return {
        "path": draft.path,
        "text": draft.text,
        "mistakes": draft.mistakes,
        "frontmatter": engine.frontmatter(draft.text),
        "calls": calls,
        "expected": expected,
        "is_meant_on": expects_firing(draft),
        **engine.answers(draft.path, draft.text, calls, draft.body.strip()),
    }


def expects_firing(draft: Draft) -> bool:
    """Returns whether a reader takes the rule to be on."""
    line = next((line for line in reversed(draft.lines) if line.strip().startswith("enabled")), "enabled: true")
    value = line.strip().removeprefix("enabled").lstrip(" :=").split("#")[0].strip().strip("'\"").lower()
    return value not in ("no", "off", "0", "false", "n", "disabled")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--plugin", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    engine = Engine(args.plugin.resolve())
    cases = [record(engine, draft) for draft in rules(args.seed, args.count)]
    recorded = {
        "provenance": {
            "recorder": "tests/recorders/record_hookify.py",
            "engine": "plugins/hookify of github.com/anthropics/claude-code",
            "python": sys.version.split()[0],
            "seed": args.seed,
        },
        "cases": cases,
    }
    (args.output / "hookify.json.gz").write_bytes(gzip.compress(json.dumps(recorded).encode(), mtime=0))


if __name__ == "__main__":
    main()
