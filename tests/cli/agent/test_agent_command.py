"""The interface of `ttsr-ls agent`: prompts, permission, Ctrl-C, logs, and invalid arguments."""

from __future__ import annotations

import os
import select
import signal
from pathlib import Path

import pytest

from tests.cli.agent.agent_process import Printed, folder, run, script, started
from tests.cli.command import ttsr_ls, write
from ttsr_ls.session.history.turn_events import RulesLoaded, RuleTriggered
from ttsr_ls.store.log.reader import read_log

__all__ = ["folder"]

Capture = pytest.CaptureFixture[str]


def test_prompts_are_typed_line_by_line(folder: Path) -> None:
    script(folder, "One.", "Two.")
    process = run(folder, typed="first\n\nsecond")
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout == "> One.\n> > Two.\n> \n"


@pytest.mark.parametrize("answers", [[], [[{"error": "Overloaded"}]]])
def test_after_a_failed_turn_the_next_prompt_runs_and_the_status_is_1(folder: Path, answers: list[object]) -> None:
    script(folder, "Yes.", *answers)
    assert run(folder, "-p", "first").returncode == 0
    process = run(folder, "-p", "first", "-p", "second", "-p", "third")
    assert (process.returncode, process.stderr) == (1, "")
    assert "> third" in process.stdout


def test_rules_that_do_not_register_are_named_once_at_the_start(folder: Path) -> None:
    """Seed 000, sections 1 and 9."""
    (folder / "mine").mkdir()
    (folder / "mine" / "half.md").write_text("---\ncondition: ['fine', '(']\n---\nB\n")
    (folder / "mine" / "gone.md").write_text("---\ncondition: '['\n---\nB\n")
    script(folder, "Yes.", "No.")
    (folder / "mine" / "big.md").write_text("x" * 1_100_000)
    process = run(folder, "--rules", "mine", "--log", "log.jsonl", "-p", "go", "-p", "on")
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.count("The rule big is not in force") == 1
    (loaded,) = [r.event for r in read_log(folder / "log.jsonl").records if isinstance(r.event, RulesLoaded)]
    assert {problem.rule for problem in loaded.problems} == {"half", "gone", "big"}
    assert process.stdout.count("The rule half is in part in force") == 1
    assert process.stdout.count("The rule gone is not in force") == 1
    assert process.stdout.index("The rule gone") < process.stdout.index("Yes.")


def test_the_agent_cannot_write_named_rules_and_its_log(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "r.md").write_text("---\ncondition: zzz\n---\nNo.\n")
    paths = ("mine/r.md", "mine/new.md", "log.jsonl")
    script(folder, [{"tool": "write", "arguments": {"path": path, "content": "x"}} for path in paths], "Done.")
    process = run(folder, "--rules", "mine", "--log", "log.jsonl", "-p", "go")
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.count("that you work under") == len(paths)
    assert (folder / "mine" / "r.md").read_text().endswith("No.\n")
    assert not (folder / "mine" / "new.md").exists()
    assert len(read_log(folder / "log.jsonl").records) > len(paths)


def test_shell_commands_do_not_get_the_api_keys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "MY_KEY", "OTHER"):
        monkeypatch.setenv(name, f"value-of-{name}")
    script(folder, [{"tool": "bash", "arguments": {"command": "env | grep value-of"}}], "Done.")
    process = run(folder, "-p", "go", "--yes", "--judge-key-variable", "MY_KEY")
    assert "value-of-OTHER" in process.stdout
    assert "KEY" not in process.stdout


def test_control_characters_of_a_model_are_escaped(folder: Path) -> None:
    script(
        folder,
        [{"text": "a\x1b[2Jb\x07"}, {"thinking": "\x9b1m"}, {"tool": "no\x1b]0;x", "arguments": {"path": "\r"}}],
        "c",
    )
    process = run(folder, "-p", "go\x1b[1m", "--yes")
    assert not {"\x1b", "\x07", "\x9b"} & set(process.stdout)
    assert "a\\x1b[2Jb\\x07" in process.stdout


def test_the_default_log_is_in_the_editors_folder_and_has_the_trigger(folder: Path) -> None:
    write(folder, {".omp/rules/no-any.md": "---\ncondition: ': any'\ninterruptMode: never\n---\nNo.\n"})
    script(folder, [{"tool": "write", "arguments": {"path": "a.ts", "content": "\nlet a: any\n"}}], "Done.")
    assert run(folder, "-p", "go").returncode == 0
    [log] = (folder.parent / "state").rglob("*.jsonl")
    assert log.stat().st_mode & 0o777 == 0o600
    [trigger] = [record.event for record in read_log(log).records if isinstance(record.event, RuleTriggered)]
    assert trigger.target is not None
    assert (trigger.target.path, trigger.target.start.line) == ("a.ts", 1)


def test_a_log_that_another_process_writes_is_refused(folder: Path) -> None:
    script(folder, [{"pause": 60}])
    process = started(folder, "-p", "go", "--log", "session.jsonl")
    Printed(process).until("> go")
    completed = run(folder, "-p", "go", "--continue", "session.jsonl")
    process.kill()
    process.communicate()
    assert completed.returncode == 2
    assert "session.jsonl" in completed.stderr
    script(folder, "Hello.")
    assert run(folder, "-p", "again", "--log", "session.jsonl").stdout == (
        "-- The session continues after 1 turn.\n> again\nHello.\n"
    )


def test_with_no_log_no_session_log_is_written(folder: Path) -> None:
    script(folder, "Hello.")
    assert run(folder, "-p", "go", "--no-log").stdout == "> go\nHello.\n"
    assert not list((folder.parent).rglob("*.jsonl"))


def test_a_script_with_too_few_answers_is_reported(folder: Path) -> None:
    script(folder)
    process = run(folder, "-p", "go")
    assert "The script has only 0 answers, and one more is needed." in process.stdout


def test_without_a_judge_rules_with_a_question_are_reported(folder: Path) -> None:
    write(folder, {".omp/rules/rude.md": "---\ncondition: Hello\nquestion: Is it rude?\n---\nBe kind.\n"})
    script(folder, "Hello.")
    assert run(folder, "-p", "go").stdout == (
        "-- Rules with a question never fire: no judge model is configured; name one with --judge.\n> go\nHello.\n"
    )


def test_a_failing_judge_is_reported_and_the_turn_continues(folder: Path) -> None:
    write(folder, {".omp/rules/rude.md": "---\nquestion: Is it rude?\n---\nBe kind.\n"})
    script(folder, "Hello.", judge=[[{"error": "gone"}]])
    assert run(folder, "-p", "go").stdout == (
        "> go\nHello.\n-- The judge failed. The provider reported api_error: gone\n"
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "name a model with --model, or the file of a scripted one with --script"),
        (("--model", "m"), "the environment variable ANTHROPIC_API_KEY is not set"),
        (("--model", "m", "--provider", "openai"), "the environment variable OPENAI_API_KEY is not set"),
        (("--model", "m", "--base-url", "http://127.0.0.1:9", "--key-variable", "NO_SUCH"), "variable NO_SUCH is not"),
        (("--script", "none.yaml"), "cannot read none.yaml: No such file or directory"),
        (("--script", "bad.yaml"), "bad.yaml: Line 1: a script needs `answers`."),
        (("--script", "ok.yaml", "--judge", "m"), "the environment variable ANTHROPIC_API_KEY is not set"),
        (("--script", "ok.yaml", "--cwd", "none"), "there is no folder"),
        (("--script", "ok.yaml", "--continue", "none.jsonl"), "there is no session log none.jsonl"),
        (("--script", "ok.yaml", "--rules", "none"), "there is no folder none with rules"),
        (("--script", "ok.yaml", "--log", "x", "--no-log"), "not allowed with"),
        (("--script", "ok.yaml", "--log", "/proc/x/y"), "cannot"),
    ],
)
def test_conflicting_arguments_are_refused(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], message: str
) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    write(folder, {"bad.yaml": "judge: []", "ok.yaml": "answers: []"})
    ran = ttsr_ls(capsys, "agent", "-p", "go", *args)
    assert ran.status == 2
    assert message in ran.err


def test_ctrl_c_interrupts_the_answer_and_a_second_one_ends_the_agent(folder: Path) -> None:
    slow = [{"text": "Half of it "}, {"pause": 60}]
    script(folder, slow, slow)
    process = started(folder)
    assert process.stdin is not None
    process.stdin.write("go\ngo on\n")
    process.stdin.flush()
    printed = Printed(process)
    for _ in range(2):
        printed.until("Half of it")
        process.send_signal(signal.SIGINT)
        printed.until("You interrupted the answer.")
    printed.until("> ")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    process.communicate()


def test_ctrl_c_kills_a_running_shell_command(folder: Path) -> None:
    script(folder, [{"tool": "bash", "arguments": {"command": "echo $$ > pid; sleep 60"}}], "Later.")
    os.mkfifo(folder / "pid")
    pid_pipe = os.open(folder / "pid", os.O_RDONLY | os.O_NONBLOCK)
    process = started(folder, "--yes", "-p", "go", "-p", "again")
    assert select.select([pid_pipe], [], [], 30)[0]
    command = int(os.read(pid_pipe, 100))
    os.close(pid_pipe)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out.endswith("> again\nLater.\n")
    with pytest.raises(ProcessLookupError):
        os.kill(command, 0)


def test_verbose_prints_the_tokens_of_each_turn(folder: Path) -> None:
    usage = {"input": 1000, "output": 20, "cache_read": 3000}
    script(
        folder, [{"text": "One."}, {"usage": usage}], "Two.", [{"text": "Three."}, {"usage": {"input": 5, "output": 6}}]
    )
    process = run(folder, "-v", "-p", "first", "-p", "second", "-p", "third")
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout == (
        "> first\nOne.\n-- The turn used 4,000 input tokens (3,000 read from the cache) and 20 output tokens.\n"
        "> second\nTwo.\n> third\nThree.\n-- The turn used 5 input tokens and 6 output tokens.\n"
    )
    assert "The turn used" not in run(folder, "-p", "first").stdout


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("/etc", "There is no command /etc. The commands are /compact, /clear, /rewind, /help."),
        ("/Compact", "There is no command /Compact."),
        ("/rewind", "The history has no turn to go back to."),
        ("/rewind 0", "/rewind takes a number of turns, not '0'; nothing was done."),
        ("/rewind -1", "/rewind takes a number of turns, not '-1'; nothing was done."),
        ("/rewind two", "/rewind takes a number of turns, not 'two'; nothing was done."),
        ("/rewind \x1b[2J", "/rewind takes a number of turns, not"),
        ("/clear all", "/clear takes no arguments; nothing was done."),
    ],
)
def test_a_refused_command_prints_the_reason_and_sends_no_request(folder: Path, typed: str, shown: str) -> None:
    script(folder)
    process = run(folder, "-p", typed)
    assert (process.returncode, process.stderr) == (1, "")
    assert f"-- {shown}" in process.stdout
    assert "\x1b" not in process.stdout


@pytest.mark.parametrize("prompt", ["/etc/hosts is wrong", "/", "/ compact", "//", " /compact", "/2nd", "use /compact"])
def test_text_that_begins_with_a_slash_but_is_no_command_is_a_prompt(folder: Path, prompt: str) -> None:
    script(folder, "Yes.")
    process = run(folder, "-p", prompt)
    assert (process.returncode, process.stderr, process.stdout) == (0, "", f"> {prompt}\nYes.\n")


def test_commands_are_typed_in_the_place_of_prompts(folder: Path) -> None:
    script(folder, "One.", "A summary.", "Two.")
    process = run(folder, "--log", "log.jsonl", typed="first\n/compact\nsecond\n/rewind\n/clear\n/help\n")
    assert (process.returncode, process.stderr) == (0, "")
    kinds = [type(record.event).__name__ for record in read_log(folder / "log.jsonl").records]
    assert [kind for kind in kinds if kind in ("HistoryCompacted", "HistoryRewound", "HistoryCleared")] == [
        "HistoryCompacted",
        "HistoryRewound",
        "HistoryCleared",
    ]
    assert "/rewind [n]: " in process.stdout


@pytest.mark.parametrize("size", ["-1", "many", "1e6"])
def test_a_context_window_that_is_no_number_is_refused(folder: Path, size: str) -> None:
    process = run(folder, f"--context-window={size}", "-p", "go")
    assert process.returncode == 2
    assert f"argument --context-window: write a whole number of at least 0, not '{size}'" in process.stderr


def test_the_reason_of_a_failed_turn_is_printed_once(folder: Path) -> None:
    script(folder, [{"error": "Overloaded"}])
    process = run(folder, "-p", "go")
    assert process.stdout.count("Overloaded") == 1
    assert "-- The turn failed.\n" in process.stdout


def test_a_rule_added_during_a_session_is_in_force_from_the_next_request(folder: Path) -> None:
    script(folder, "One.", "I take the deprecated_module.", "I take the new_module.")
    process = started(folder)
    printed = Printed(process)
    assert process.stdin is not None
    process.stdin.write("first\n")
    process.stdin.flush()
    printed.until("One.")
    (folder / ".omp" / "rules").mkdir(parents=True)
    (folder / ".omp" / "rules" / "no-old.md").write_text("---\ncondition: deprecated_module\n---\nUse new_module.\n")
    process.stdin.write("second\n")
    process.stdin.flush()
    printed.until("Rules were read again: added no-old.")
    printed.until("no-old fires on text")
    printed.until("new_module.")
    process.communicate(timeout=60)
    assert process.returncode == 0
