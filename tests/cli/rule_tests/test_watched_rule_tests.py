"""`test --watch`: which changes run the tests again."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.command import environment, write

ANY = "---\ncondition: [': any\\b', eval]\nscope: [tool:edit(*.ts), tool:write(*.ts)]\n---\nName the type.\n"
GOOD = "valid: ['let a: number;']\ninvalid: ['let a: any;', {name: in a loop, text: 'for (;;) { b: any; }'}]\n"
BODY = "\n## Bad\n\n```ts\nlet a: any;\n```\n\n```ts ttsr:silent\nlet a: Any;\n```\n"


@pytest.fixture
def rules(project: Path) -> Path:
    write(project, {".omp/rules/any.md": ANY + BODY, ".omp/rules/any.test.yml": GOOD, ".omp/rules/other.md": ANY})
    return project


def test_a_change_runs_the_tests_again(rules: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ttsr_ls", "test", "--watch", "--filter", "any"],
        cwd=rules, stdout=subprocess.PIPE, text=True, env=environment(PYTHONUNBUFFERED="1"),
    )  # fmt: skip
    try:
        assert process.stdout is not None
        first = [process.stdout.readline() for _ in range(3)]
        write(rules, {".omp/rules/any.test.yml": "invalid: [nothing]\n"})
        again = [process.stdout.readline() for _ in range(2)]
        assert first[0] == ".omp/rules/any.md .....\n"
        assert again == ["\n", ".omp/rules/any.md F..\n"]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130


def test_only_changes_of_rules_and_tests_run_the_tests_again(rules: Path) -> None:
    report = rules / "report.txt"
    process = subprocess.Popen(
        [sys.executable, "-m", "ttsr_ls", "test", "--watch", "--output", report.name],
        cwd=rules, stdout=subprocess.PIPE, text=True, env=environment(PYTHONUNBUFFERED="1"),
    )  # fmt: skip
    try:
        wait_for_text(report, "5 passed")
        (rules / "notes.txt").write_text("This decides no test.")
        write(rules, {".omp/rules/any.test.yml": "invalid: [nothing]\n"})
        wait_for_text(report, "1 failed")
        write(rules, {".omp/rules/any.test.yml": GOOD})
        wait_for_text(report, "5 passed")
        time.sleep(2)
    finally:
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    assert printed == "\n" * 2, "the report that a run writes is no reason for another run"


def test_a_named_file_may_be_missing_for_a_while(rules: Path) -> None:
    report, test = rules / "report.txt", rules / ".omp/rules/any.test.yml"
    process = subprocess.Popen(
        [sys.executable, "-m", "ttsr_ls", "test", "--watch", "--output", report.name, ".omp/rules/any.test.yml"],
        cwd=rules, stderr=subprocess.PIPE, text=True, env=environment(PYTHONUNBUFFERED="1"),
    )  # fmt: skip
    try:
        wait_for_text(report, "5 passed")
        test.unlink()
        assert process.stderr is not None
        assert "there is no file or folder .omp/rules/any.test.yml" in process.stderr.readline()
        write(rules, {".omp/rules/any.test.yml": "invalid: [nothing]\n"})
        wait_for_text(report, "1 failed")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130


def wait_for_text(path: Path, wanted: str) -> None:
    end = time.monotonic() + 60
    while not path.exists() or wanted not in path.read_text():
        assert time.monotonic() < end, f"{path.name} never had '{wanted}'"
        time.sleep(0.05)
