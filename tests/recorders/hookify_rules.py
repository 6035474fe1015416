"""Generator of hookify rule files: what an author means, and how the file says it. Same rules for the same seed.

An `Intent` is a rule with the calls on which it should fire and on which it should not. `MISTAKES` write it as people
do by mistake: each is one change of the text, by which a reader who knows YAML still sees the intent.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

Call = dict[str, Any]


def bash(command: str) -> Call:
    return {"tool_name": "Bash", "tool_input": {"command": command}}


def edit(path: str, new: str, old: str = "before") -> Call:
    return {"tool_name": "Edit", "tool_input": {"file_path": path, "old_string": old, "new_string": new}}


def write(path: str, content: str) -> Call:
    return {"tool_name": "Write", "tool_input": {"file_path": path, "content": content}}


def stop(transcript: str) -> Call:
    return {"transcript": transcript}


def prompt(text: str) -> Call:
    return {"prompt": text}


@dataclass(frozen=True)
class Intent:
    """What a rule is for. Conditions are (field, operator, pattern); one with an empty field is `pattern`."""

    event: str
    conditions: tuple[tuple[str, str, str], ...]
    fires: tuple[Call, ...]
    silent: tuple[Call, ...]
    action: str = "warn"
    enabled: bool = True


def _command(pattern: str, fires: tuple[str, ...], silent: tuple[str, ...]) -> tuple[Intent, Intent]:
    """The same rule with `pattern` and with one condition."""
    calls = tuple(map(bash, fires)), tuple(map(bash, silent))
    intent = Intent("bash", (("", "regex_match", pattern),), *calls)
    return intent, replace(intent, conditions=(("command", "regex_match", pattern),))


def _content(pattern: str, fires: str, silent: str, path: str = "/p/src/a.ts") -> Intent:
    return Intent(
        "file",
        (("content", "regex_match", pattern),),
        (edit(path, fires), write(path, fires)),
        (edit(path, silent), write(path, silent)),
    )


INTENTS: tuple[Intent, ...] = (
    *_command(r"rm\s+-rf", ("rm -rf /tmp/x", "sudo rm  -rf ."), ("ls -la", "rm file")),
    *_command(r"git\s+push\s+(?:--force|-f)\b", ("git push --force", "git push -f origin"), ("git push", "git status")),
    *_command(r"(?:curl|wget)\s.*\|\s*(?:ba)?sh", ("curl http://x | sh", "wget -qO- x | bash"), ("curl http://x",)),
    *_command(r"chmod\s+777|chown\s+root", ("chmod 777 a", "chown root a"), ("chmod 644 a",)),
    *_command(r"^npm publish", ("npm publish", "npm publish --tag x"), ("echo npm publish", "npm test")),
    *_command(r"docker\s+system\s+prune$", ("docker system prune",), ("docker system prune -a", "docker ps")),
    *_command("DROP TABLE", ("psql -c 'drop table x'",), ("psql -c 'select 1'",)),
    *_command(r"kubectl (?:delete|drain) [a-z]{2,9}", ("kubectl delete pod",), ("kubectl get pod",)),
    *_command(r"\bdd\b.*\bof=/dev/sd[a-z]", ("dd if=a of=/dev/sda",), ("dd if=a of=b",)),
    *_command(r"echo \"\$?\w+\" >> ~/\.bashrc", ('echo "$x" >> ~/.bashrc',), ("echo x > y",)),
    *_command(r"pip install (?!-r )", ("pip install x",), ("pip install -r y", "pip list")),
    *_command(r"terraform (?P<what>apply|destroy)", ("terraform apply", "TERRAFORM DESTROY"), ("terraform plan",)),
    _content(r"console\.log\(", "console.log(1)", "logger.info(1)"),
    Intent("file", (("content", "regex_match", r"\beval\(|innerHTML\s*="),),
           (edit("/p/a.ts", "x.innerHTML = y"), write("/p/a.ts", "eval(x)")), (edit("/p/a.ts", "x.text = y"),)),
    _content(r"AKIA[0-9A-Z]{16}", "AKIAABCDEFGHIJKLMNOP", "AKIA"),
    _content(r"TODO(?!\(#\d+\))", "// TODO later", "// TODO(#12) later"),
    _content("it's fine", "it's fine", "it is fine"),
    _content(r"#\s*type:\s*ignore", "x = 1  # type: ignore", "x = 1"),
    _content(r"password\s*=\s*[\"'][^\"']+[\"']", 'password = "abc"', "password = read()"),
    _content(r"print\(.*\)\s*$", "print(1)", "print_all"),
    Intent("file", (("new_text", "regex_match", r"\bany\b"),), (edit("/p/a.ts", "x: any"),), (edit("/p/a.ts", "x"),)),
    Intent("file", (("", "regex_match", r"debugger;"),), (edit("/p/a.ts", "debugger;"),), (edit("/p/a.ts", "x"),)),
    Intent("file", (("new_text", "contains", "console.log("), ("file_path", "regex_match", r"\.tsx?$")),
           (edit("/p/a.ts", "console.log(1)"), edit("/p/b.tsx", "console.log(1)")),
           (edit("/p/a.py", "console.log(1)"), edit("/p/a.ts", "x"))),
    Intent("file", (("file_path", "ends_with", ".env"), ("content", "contains", "SECRET")),
           (edit("/p/.env", "SECRET=1"), write("/p/.env", "SECRET=1")),
           (write("/p/a", "SECRET=1"), write("/p/.env", "x"))),
    Intent("file", (("file_path", "regex_match", r"\.env$|\.env\.|credentials|secrets"),),
           (write("/p/.env", "x"), edit("/p/secrets.yml", "x")), (write("/p/a.ts", "x"),)),
    Intent("file", (("file_path", "contains", "/migrations/"), ("old_text", "regex_match", r"CREATE\s+TABLE")),
           (edit("/p/migrations/1.sql", "x", "CREATE TABLE a"),),
           (edit("/p/a.sql", "x", "CREATE TABLE a"), edit("/p/migrations/1.sql", "x", "y"))),
    Intent("file", (("file_path", "regex_match", r"/(?:dist|build)/"), ("content", "not_contains", "generated")),
           (write("/p/dist/a.js", "x"),), (write("/p/dist/a.js", "generated"), write("/p/src/a.js", "x"))),
    Intent("bash", (("command", "contains", "git push"), ("command", "not_contains", "--dry-run")),
           (bash("git push origin"),), (bash("git push --dry-run"), bash("ls"))),
    Intent("bash", (("command", "starts_with", "sudo "),), (bash("sudo ls"),), (bash("ls"), bash("echo sudo x"))),
    Intent("bash", (("command", "equals", "npm test"),), (bash("npm test"),), (bash("npm test -- x"),)),
    Intent("stop", (("transcript", "not_contains", "pytest"),), (stop("done"),), (stop("ran pytest"),)),
    Intent("stop", (("transcript", "regex_match", r"TODO|FIXME"),), (stop("a TODO is left"),), (stop("done"),)),
    Intent("prompt", (("user_prompt", "contains", "deploy"),), (prompt("deploy it"),), (prompt("test it"),)),
    Intent("all", (("command", "regex_match", r"\bsudo\b"),), (bash("sudo ls"),), (bash("ls"), write("/p/a", "sudo"))),
)  # fmt: skip


@dataclass
class Draft:
    """The parts of a file that mistakes change; `lines` are those of the frontmatter."""

    intent: Intent
    lines: list[str]
    path: str = ".claude/hookify.rule.local.md"
    body: str = "Do not do that.\n"
    opening: str = "---\n"
    closing: str = "---\n"
    mistakes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join((self.opening, *(line + "\n" for line in self.lines), self.closing, "\n", self.body))

    def index(self, key: str) -> int | None:
        """The line of the last appearance of a key."""
        found = [
            position
            for position, line in enumerate(self.lines)
            if line.strip().removeprefix("- ").startswith(f"{key}:")
        ]
        return found[-1] if found else None

    def value(self, key: str) -> str | None:
        position = self.index(key)
        return None if position is None else self.lines[position].partition(":")[2].strip()

    def set_value(self, key: str, value: str) -> bool:
        return self.change_line(key, lambda line: f"{line.partition(':')[0]}: {value}".rstrip())

    def change_line(self, key: str, change: Callable[[str], str]) -> bool:
        """Changes the line of the last appearance of a key."""
        position = self.index(key)
        if position is None:
            return False
        self.lines[position] = change(self.lines[position])
        return True

    def choose(self, chance: random.Random, key: str, values: tuple[str, ...]) -> bool:
        """Sets a key to one of some values."""
        return self.set_value(key, chance.choice(values))

    @property
    def is_list(self) -> bool:
        """True if the rule has a list of conditions."""
        return self.index("conditions") is not None

    def pattern_line(self) -> tuple[int, str, str] | None:
        """The line of the last pattern: its index, what stands before the colon, and the value."""
        position = self.index("pattern")
        if position is None:
            return None
        head, _, value = self.lines[position].partition(":")
        return position, head, value.strip()


def draft(intent: Intent, chance: random.Random) -> Draft:
    """An intent as hookify's documentation writes it."""
    lines = ["name: rule", f"enabled: {'true' if intent.enabled else 'false'}", f"event: {intent.event}"]
    action = [f"action: {intent.action}"] if intent.action != "warn" or chance.random() < 0.5 else []
    if intent.conditions[0][0] == "":
        lines += [f"pattern: {intent.conditions[0][2]}", *action]
        return Draft(intent, lines)
    lines += [*action, "conditions:"]
    for of, operator, pattern in intent.conditions:
        lines += [f"  - field: {of}", f"    operator: {operator}", f"    pattern: {pattern}"]
    return Draft(intent, lines)


Mistake = Callable[[Draft, random.Random], bool]
MISTAKES: dict[str, Mistake] = {}


def mistake(change: Mistake) -> Mistake:
    """Registers a change of a draft; it answers whether the draft allows it."""
    MISTAKES[change.__name__] = change
    return change


def mistake_in_list(change: Callable[[str], str]) -> Callable[[str], str]:
    """Registers a change of each line, for drafts with a list of conditions."""

    def apply(draft: Draft, chance: random.Random) -> bool:
        if draft.is_list:
            draft.lines = [change(line) for line in draft.lines]
        return draft.is_list

    MISTAKES[change.__name__] = apply
    return change


def rules(seed: int, count: int) -> Iterator[Draft]:
    """Rules in turn: a third without a mistake, the others with one or two."""
    chance = random.Random(seed)
    names = sorted(MISTAKES)
    number = 0
    while number < count:
        intent = chance.choice(INTENTS)
        if chance.random() < 0.25:
            intent = replace(intent, action="block")
        made = draft(intent, chance)
        wanted = chance.choice((0, 1, 1, 1, 2))
        for name in chance.sample(names, len(names)):
            if len(made.mistakes) == wanted:
                break
            if MISTAKES[name](made, chance):
                made.mistakes.append(name)
        number += 1
        yield made
