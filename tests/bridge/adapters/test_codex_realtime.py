"""Spoken conversations in Codex's rollouts."""

from __future__ import annotations

from tests.bridge.adapters.claude_stream import to_bytes
from ttsr_ls.bridge.adapters.codex.rollout import CodexRolloutAdapter
from ttsr_ls.session.history.turn_events import Text
from ttsr_ls.session.output.agent_events import BlockFinished, StreamDamaged, TurnOpened


def test_transcripts_of_speech_are_read_and_unknown_items_reported() -> None:
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_audio", "transcript": "Write a.py"}]},
        {"item": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I write."}]}},
        {"type": "hummed"},
    ]
    events = CodexRolloutAdapter().feed(to_bytes([{"type": "realtime_item", "payload": item} for item in items]))
    assert len([event for event in events if isinstance(event, TurnOpened)]) == 1
    assert [event.output for event in events if isinstance(event, BlockFinished)] == [Text("I write.")]
    (damage,) = (event for event in events if isinstance(event, StreamDamaged))
    assert "'realtime_item: hummed', is not known" in damage.message
