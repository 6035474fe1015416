"""Patches in hooks: rules about files are matched against them, in the patch tool and in shell commands."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bridge.agent_hooks.calls import Hooked, message, stop
from tests.bridge.event_summaries import summarize
from ttsr_ls.bridge.adapters.codex.patch import canonical_calls
from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, Denied
from ttsr_ls.session.history.turn_events import CallAbandoned, StepUpdated

NO_ANY = "---\ncondition: ': any'\nscope: tool:edit(*.ts), tool:write(*.ts)\n---\nName the type.\n"
NO_SHELL_PATCH = "---\ncondition: apply_patch\nscope: tool:bash\n---\nUse the patch tool.\n"


def patch(*files: str) -> str:
    return "\n".join(("*** Begin Patch", *files, "*** End Patch"))


def before(tool: str, command: str, call: str = "call_0", event: str = "PreToolUse") -> dict[str, Any]:
    """A hook's input in the format of Codex 0.169."""
    return message(
        event,
        turn_id="01a205a1-8e87-79b2-9f27-32917c356c56",
        model="gpt-5.5",
        permission_mode="bypassPermissions",
        tool_name=tool,
        tool_input={"command": command},
        tool_use_id=call,
    )


ADDED = "*** Add File: cart.ts\n+const a: any = 1"
UPDATED = "*** Update File: cart.ts\n@@\n-const a = 1\n+const a: any = 1"
REMOVED = "*** Update File: cart.ts\n@@\n-const a: any = 1\n+const a = 1"


@pytest.mark.parametrize(
    ("files", "is_denied"),
    [
        ([ADDED], True),
        ([UPDATED], True),
        (["*** Add File: a.md\n+ok", UPDATED], True),
        ([REMOVED], False),
        ([ADDED.replace(".ts", ".md"), REMOVED], False),
        (["*** Delete File: cart.ts"], False),
    ],
)
@pytest.mark.parametrize("is_shell", [False, True])
def test_a_rule_about_files_matches_the_lines_that_a_patch_adds(
    files: list[str], is_denied: bool, is_shell: bool
) -> None:
    hooked = Hooked({"no_any": NO_ANY})
    text = patch(*files)
    asked = before("Bash", f"apply_patch <<'EOF'\n{text}\nEOF\n") if is_shell else before("apply_patch", text)
    assert isinstance(hooked.ask(asked), Denied) == is_denied


def test_each_file_of_a_patch_is_a_call_with_a_result() -> None:
    hooked = Hooked({"no_any": NO_ANY})
    text = patch("*** Add File: a.ts\n+ok", REMOVED)
    assert hooked.ask(before("apply_patch", text)) == Allowed()
    result = before("apply_patch", text, event="PostToolUse") | {"tool_response": "Success."}
    assert hooked.ask(result) == Allowed()
    assert [summarize(event) for event in hooked.log.events][3:] == [
        "t1.0 answer ToolCall ToolCall",
        "t1.1 calls write CallRunning edit CallRunning",
        "t1.1 call_0 CallDone",
        "t1.1 call_0#1 CallDone",
    ]


def test_a_patch_in_the_shell_is_also_matched_as_a_shell_command() -> None:
    hooked = Hooked({"no_shell_patch": NO_SHELL_PATCH, "no_any": NO_ANY})
    denied = hooked.ask(before("Bash", f"apply_patch <<'EOF'\n{patch(ADDED)}\nEOF\n"))
    assert isinstance(denied, Denied)
    assert set(denied.rules) == {"no-shell-patch", "no-any"}


def test_a_call_without_a_result_hook_is_not_recorded_as_stopped() -> None:
    # Codex calls no hook after a patch that it applies for its shell tool.
    hooked = Hooked({"no_any": NO_ANY})
    assert hooked.ask(before("Bash", f"apply_patch <<'EOF'\n{patch(REMOVED)}\nEOF\n")) == Allowed()
    assert hooked.ask(stop("Written.")) == Allowed()
    states = [event.state for event in hooked.log.events if isinstance(event, StepUpdated)]
    assert [state.reason for state in states if isinstance(state, CallAbandoned)] == [
        "it ended, and the agent reported no result to its hooks"
    ] * 2
    assert summarize(hooked.log.events[-2]) == "t1.2 answer Text"


TEXT = patch(ADDED)
WRITE = ("write", "cart.ts", "const a: any = 1")


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("exec_command", {"cmd": f"cd src && apply_patch <<'EOF'\n{TEXT}\nEOF"}, "src/cart.ts"),
        ("exec_command", {"cmd": f"cd 'a b'; apply_patch << EOF\n{TEXT}\nEOF"}, "a b/cart.ts"),
        ("exec_command", {"cmd": f"apply_patch <<EOF\n{TEXT}\nEOF", "workdir": "/w"}, "/w/cart.ts"),
        ("exec_command", {"cmd": f'apply_patch "{TEXT}"'}, "cart.ts"),
        ("exec_command", {"cmd": f"apply_patch '{TEXT}'"}, "cart.ts"),
        ("exec_command", {"cmd": f"cat <<'EOF' | apply_patch\n{TEXT}\nEOF"}, "cart.ts"),
        ("exec_command", {"cmd": f'bash -lc "apply_patch <<EOF\n{TEXT}\nEOF"'}, "cart.ts"),
        ("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{TEXT}\nEOF"]}, "cart.ts"),
        ("shell", {"command": ["apply_patch", TEXT]}, "cart.ts"),
        ("Bash", {"command": f"ls\napplypatch <<'EOF'\n{TEXT}"}, "cart.ts"),
        ("Bash", {"command": f"cat > my_apply_patch <<'EOF'\n{TEXT}"}, None),
        ("read", {"command": f"apply_patch <<'EOF'\n{TEXT}"}, None),
    ],
)
def test_patches_in_all_forms_of_shell_commands_are_found(
    tool: str, arguments: dict[str, Any], expected: str | None
) -> None:
    calls = canonical_calls(tool, "c", arguments)
    assert (calls[0].tool, calls[0].call, calls[0].arguments) == (tool, "c", arguments)
    written = [(call.tool, call.call, call.arguments) for call in calls[1:]]
    arguments = {"path": expected, "content": WRITE[2]}
    assert written == ([] if expected is None else [("write", "c#1", arguments)])


def test_shell_quotes_are_removed_and_unusual_line_ends_are_read() -> None:
    escaped = patch('*** Add File: a.ts\n+say(\\"\\$x\\")')
    (_, call) = canonical_calls("bash", "c", {"command": f'apply_patch "{escaped}"'})
    assert call.arguments["content"] == 'say("$x")'
    (call,) = canonical_calls("apply_patch", "c", {"input": patch("*** Add File: a.ts\r\n+x\u2028y\r\n+z\r")})
    assert call.arguments == {"path": "a.ts", "content": "x\u2028y\nz"}


def test_a_hostile_shell_command_is_read_in_bounded_time() -> None:
    for piece in ("apply_patch ", "\n", " -c -c", "cd ", "apply_patch <<E\n*** Begin Patch\n", "'/a"):
        assert canonical_calls("bash", "c", {"command": piece * (400_000 // len(piece))})
    added = "*** Add File: a\n" * 10_000
    command = "\ncd abc" * 50_000 + f"\napply_patch <<E\n*** Begin Patch\n{added}"
    calls = canonical_calls("bash", "c", {"command": command, "workdir": "/w" * 100_000})
    assert max(len(str(call.arguments["path"])) for call in calls[1:]) < 2000
