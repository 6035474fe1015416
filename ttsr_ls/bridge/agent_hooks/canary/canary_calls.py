"""The calls with which `doctor` tests an agent's hooks. Each breaks a rule of its own, because a rule denies once."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from msgspec import Struct

CANARY = "ttsr_ls_canary_5e0b"
"""The beginning of the texts that the conditions of the canary rules match."""


class CanaryCall(Struct, frozen=True):
    """A call that breaks a canary rule. `title` names it in a sentence, `scope` is that of its rule.

    `tool` is the tool's name in the agent's hooks. `form` is the text of its argument `argument`, with the placeholders
    `{path}` and `{text}` for the file and its content. `path_argument` is the argument for the path, if there is one.
    """

    key: str
    title: str
    scope: str
    tool: str
    argument: str
    form: str
    path_argument: str = ""

    @property
    def text(self) -> str:
        """The text that the condition of the rule matches."""
        return f"{CANARY}_{self.key}"

    @property
    def denial(self) -> str:
        """The text by which the body of the rule is recognised."""
        return f"{self.text}_denied"

    @property
    def rule(self) -> str:
        """The text of the rule's file."""
        return f"---\ncondition: {self.text}\nscope: {self.scope}\n---\nThis is a test of ttsr-ls: {self.denial}.\n"

    @property
    def file(self) -> str:
        """The name of the file that the call would write."""
        return f"canary-{self.key}.txt"

    def content(self, folder: PurePath) -> str:
        """The text of the call's argument, for a file in `folder`."""
        return self.form.replace("{path}", str(folder / self.file)).replace("{text}", self.text)


_FILES = "tool:write(*.txt), tool:edit(*.txt)"
_PATCH = "*** Begin Patch\n*** Add File: {path}\n+{text}\n*** End Patch"
_CONTENT = "{text}\n"
_WRITE = (CanaryCall("file", "a call that writes a file", _FILES, "Write", "content", _CONTENT, "file_path"),)
_VSCODE = (
    CanaryCall("file", "a call of VS Code that writes a file", _FILES, "create_file", "content", _CONTENT, "filePath"),
    CanaryCall("cli", "one of Copilot CLI", _FILES, "Write", "file_text", _CONTENT, "path"),
)
_CODEX = (
    CanaryCall("shell", "a shell command", "tool:bash", "Bash", "command", "echo {text} > '{path}'"),
    CanaryCall("patch", "a file edit by `apply_patch`", _FILES, "apply_patch", "command", _PATCH),
    CanaryCall(
        "heredoc", "`apply_patch` in the shell", _FILES, "Bash", "command", f"apply_patch <<'EOF'\n{_PATCH}\nEOF\n"
    ),
)


def canary_calls(agent: str) -> tuple[CanaryCall, ...]:
    """The calls that hooks of an agent are tested with."""
    return {"codex": _CODEX, "vscode": _VSCODE}.get(agent, _WRITE)


def join_titles(calls: Iterable[CanaryCall]) -> str:
    """Joins the titles of calls for a sentence."""
    titles = [call.title for call in calls]
    return titles[0] if len(titles) == 1 else f"{', '.join(titles[:-1])} and {titles[-1]}"
