"""A recorded run of Claude Code as if it had happened in another folder."""

from __future__ import annotations

import json
from typing import Any

from ttsr_ls.bridge.adapters.player import RecordedLine


def relocate_run(folder: str, recorded: tuple[RecordedLine, ...], recorded_folder: str) -> tuple[RecordedLine, ...]:
    """The lines with every path below `recorded_folder` moved below `folder`, also where a path is cut by deltas."""
    lines = [json.loads(line.data) for line in recorded]
    _move_arguments(lines, f"{recorded_folder}/", json.dumps(f"{folder}/")[1:-1])
    return tuple(
        RecordedLine(line.time, json.dumps(_moved(value, recorded_folder, folder)).encode("ascii") + b"\n")
        for line, value in zip(recorded, lines, strict=True)
    )


def _move_arguments(lines: list[dict[str, Any]], old: str, new: str) -> None:
    """Puts all of a call's path into the delta that completes it."""
    begun: list[dict[str, Any]] = []
    for line in lines:
        event = line.get("event", {})
        delta = event.get("delta", {})
        if event.get("type") == "content_block_start":
            begun = []
        if delta.get("type") != "input_json_delta":
            continue
        begun.append(delta)
        joined = "".join(each["partial_json"] for each in begun)
        if old in joined:
            for each in begun:
                each["partial_json"] = ""
            delta["partial_json"] = joined.replace(old, new)
            begun = []


def _moved(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return new if value == old else value.replace(f"{old}/", f"{new}/")
    if isinstance(value, list):
        return [_moved(each, old, new) for each in value]
    if isinstance(value, dict):
        return {key: each if key == "partial_json" else _moved(each, old, new) for key, each in value.items()}
    return value
