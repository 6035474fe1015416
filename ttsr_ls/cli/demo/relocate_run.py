"""Moves a recorded run of Claude Code to another folder."""

from __future__ import annotations

import json
from typing import Any

from ttsr_ls.bridge.adapters.player import RecordedLine


def relocate_run(folder: str, recorded: tuple[RecordedLine, ...], recorded_folder: str) -> tuple[RecordedLine, ...]:
    """The lines with every path below `recorded_folder` moved below `folder`, also a path that deltas split."""
    lines = [json.loads(line.data) for line in recorded]
    _move_arguments(lines, f"{recorded_folder}/", json.dumps(f"{folder}/")[1:-1])
    return tuple(
        RecordedLine(line.time, json.dumps(_moved(value, recorded_folder, folder)).encode("ascii") + b"\n")
        for line, value in zip(recorded, lines, strict=True)
    )


def _move_arguments(lines: list[dict[str, Any]], old: str, new: str) -> None:
    """Puts all of a call's path into the delta that completes it."""
    fragments: list[dict[str, Any]] = []
    for line in lines:
        event = line.get("event", {})
        delta = event.get("delta", {})
        if event.get("type") == "content_block_start":
            fragments = []
        if delta.get("type") != "input_json_delta":
            continue
        fragments.append(delta)
        joined_text = "".join(item["partial_json"] for item in fragments)
        if old in joined_text:
            for item in fragments:
                item["partial_json"] = ""
            delta["partial_json"] = joined_text.replace(old, new)
            fragments = []


def _moved(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return new if value == old else value.replace(f"{old}/", f"{new}/")
    if isinstance(value, list):
        return [_moved(item, old, new) for item in value]
    if isinstance(value, dict):
        return {key: item if key == "partial_json" else _moved(item, old, new) for key, item in value.items()}
    return value
