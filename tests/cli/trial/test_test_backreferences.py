"""`test` verifies backreferences with every matching and length of text."""

from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls

Capture = pytest.CaptureFixture[str]


def write_rule(project: Path, condition: str) -> None:
    path = project / ".omp/rules/a.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\ncondition: '{condition}'\n---\nSay so.\n")


def test_reference_matching_supports_backreferences(project: Path, capsys: Capture) -> None:
    write_rule(project, r"([xy])z\1")
    ran = ttsr_ls(capsys, "test", "xzx", "--source", "text", "--matching", "reference", "--expect-fire=a")
    assert ran.status == 0


def test_a_repeated_word_in_a_long_text_is_found_every_time(project: Path, capsys: Capture) -> None:
    write_rule(project, r"\b(\w+)\s+\1\b")
    text = " ".join(f"w{number}" for number in range(2_000)) + " the the."
    for _ in range(3):
        assert ttsr_ls(capsys, "test", text, "--source", "text", "--expect-fire=a").status == 0
