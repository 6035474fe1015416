"""Rule files with one known defect each, made of sound rules: the slips that leave a rule silently wrong.

A defect takes a sound rule and a source of chance, and gives the file with its one slip, or None where the rule has no
place for it. `codes` are the findings of which one must stand in the file; `mark` is a part of the line that has it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Sound:
    """A rule that does what it says: on `text`, from the stream `source`, it fires."""

    condition: str
    alternative: str
    text: str
    extension: str
    ast: str | None = None

    @property
    def scope(self) -> tuple[str, str]:
        return f"tool:edit(*.{self.extension})", f"tool:write(*.{self.extension})"


@dataclass(frozen=True)
class Defect:
    """A file with one mistake, and the codes of which one must be reported on the line with `mark`."""

    kind: str
    path: str
    text: str
    codes: tuple[str, ...]
    mark: str


SOUND = (
    Sound(r"console\.log\(", r"console\.debug\(", "console.log(x)", "ts", "console.log($$$)"),
    Sound(r"print\(", r"pprint\(", "print(x)", "py", "print($$$)"),
    Sound(r"\.unwrap\(\)", r"\.expect\(", "a.unwrap()", "rs", "$X.unwrap()"),
    Sound(r"fmt\.Println\(", r"fmt\.Printf\(", "fmt.Println(x)", "go"),
    Sound(r"eval\(", r"new Function\(", "eval(x)", "js", "eval($$$)"),
    Sound(r"System\.out\.println\(", r"printStackTrace\(", "System.out.println(x)", "java", "System.out.println($$$)"),
    Sound(r"var_dump\(", r"print_r\(", "var_dump(x)", "php"),
    Sound(r"dangerouslySetInnerHTML=", r"innerHTML =", "<p dangerouslySetInnerHTML={x} />", "tsx"),
)
_BODY = "Use the logger of the project instead."
_OTHER_TOOLS = (
    "todo_write", "subagent", "multiedit", "str_replace_editor", "run_terminal_cmd", "execute_command", "webfetch",
    "grep_search", "write_to_file", "read_file", "websearch", "ask_user_question", "dispatch_agent", "wirte", "eidt",
)  # fmt: skip
_MCP = ("mcp__github__create_issue", "mcp__context7__get-library-docs", "mcp__play_wright__click", "mcp__memory")
_ABOUT_THINKING = (
    "Stops the agent from talking itself into shortcuts while thinking", "Watches its reasoning for hesitation",
    "Catches giving up in thinking blocks", "No swearing in the agent's chain of thought", "Doubt in its own reasoning",
)  # fmt: skip


def _file(*lines: str, body: str = _BODY) -> str:
    return "\n".join(("---", *lines, "---", body, ""))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _sound_lines(rule: Sound, without: str = "") -> list[str]:
    lines = {"condition": f"condition: {_quoted(rule.condition)}", "scope": f"scope: {', '.join(rule.scope)}"}
    return [line for key, line in lines.items() if key != without]


def _empty_key(rule: Sound, chance: random.Random) -> Defect:
    key = chance.choice(("scope", "globs", "agents"))
    line = key + ":" + chance.choice(("", " ", " ''", ' ""', " []", " ['']", " ' '"))
    lines = [*_sound_lines(rule, without="scope" if key == "scope" else ""), line]
    chance.shuffle(lines)
    return Defect(f"empty {key}", "", _file(*lines), ("empty-value",), f"{key}:")


def _tight_list(rule: Sound, chance: random.Random) -> Defect:
    key, items = chance.choice((
        ("condition", [_quoted(rule.condition), _quoted(rule.alternative)]),
        ("condition", [rule.condition, rule.alternative]),
        ("scope", list(rule.scope)),
        ("globs", [f"'*.{rule.extension}'", "'*.html'"]),
        ("agents", ["main", "sub"]),
    ))  # fmt: skip
    mark = chance.choice(("-", "-", "• ", "– ", "1. "))
    indent = chance.choice(("  ", "    ", "")) if mark == "-" else "  "
    lines = _sound_lines(rule, without=key)
    return Defect(
        f"items with {mark.strip()!r}", "", _file(*lines, f"{key}:", *(f"{indent}{mark}{item}" for item in items)),
        ("folded-list", "yaml-degraded", "frontmatter-not-recognised"), f"{mark}{items[0]}",
    )  # fmt: skip


def _items_in_block(rule: Sound, chance: random.Random) -> Defect:
    mark = chance.choice(("|", ">", ">-", "|-"))
    lines = [*_sound_lines(rule, without="condition"), f"condition: {mark}"]
    items = [f"  - {_quoted(item)}" for item in (rule.condition, rule.alternative)]
    return Defect("items in a block", "", _file(*lines, *items), ("folded-list",), f"condition: {mark}")


def _folded(rule: Sound, chance: random.Random) -> Defect:
    start = chance.choice((["condition: >"], ["condition: >-"], ["condition:", "  - >"], ["condition:"]))
    indent = "      " if len(start) > 1 else "  "
    lines = [
        *_sound_lines(rule, without="condition"),
        *start,
        f"{indent}{rule.condition}",
        f"{indent}{rule.alternative}",
    ]
    return Defect("folded patterns", "", _file(*lines), ("invisible-character", "yaml-degraded"), rule.condition)


def _negated(rule: Sound, chance: random.Random) -> Defect:
    glob = chance.choice((f"!*.test.{rule.extension}", "!src/**", "!**/test/**", f"!*.{rule.extension}", "!./dist/**"))
    tools = chance.choice((f"tool:edit({glob})", f"tool:edit(*.{rule.extension}), tool:edit({glob})", f"tool({glob})"))
    text = _file(*_sound_lines(rule, without="scope"), f"scope: {tools}")
    return Defect("negated path", "", text, ("ineffective-negation",), glob)


def _capitals(rule: Sound, chance: random.Random) -> Defect:
    extension = chance.choice((rule.extension.upper(), rule.extension.capitalize()))
    scope = chance.choice((f"scope: tool:edit(*.{extension})", f"globs: 'src/**/*.{extension}'"))
    text = _file(*_sound_lines(rule, without="scope"), *(["scope: tool"] if "globs" in scope else []), scope)
    return Defect("extension in capitals", "", text, ("glob-case",), f"*.{extension}")


def _prefix(rule: Sound, chance: random.Random) -> Defect:
    slip = chance.choice(("toll:edit", "tol:edit", "tools:edit", "tool.edit", "tool::edit", "stream:text", "tool-edit"))
    text = _file(*_sound_lines(rule, without="scope"), f"scope: {slip}")
    return Defect("prefix", "", text, ("unreachable-scope", "bare-word-tool"), slip)


def _tool_name(rule: Sound, chance: random.Random) -> Defect:
    name = chance.choice((*_OTHER_TOOLS, *_MCP))
    token = chance.choice((f"tool:{name}", name))
    if chance.random() < 0.2:
        token = chance.choice(("tool:text", "tool:thinking", "think"))
    text = _file(*_sound_lines(rule, without="scope"), f"scope: {chance.choice((token, f'text, {token}'))}")
    return Defect("name of a tool", "", text, ("unknown-tool", "bare-word-tool"), token)


def _path_condition(rule: Sound, chance: random.Random) -> Defect:
    condition = chance.choice((
        r'"path":\s*"[^"]*\.env"', r'"file_path"\s*:\s*"src/legacy', r"package-lock\.json", r"(^|/)\.env(\.\w+)?$",
        rf"src/generated/.*\.{rule.extension}$", r"(?:yarn\.lock|pnpm-lock\.yaml)$", r"\.lock$",
    ))  # fmt: skip
    scope = chance.choice(("tool:edit", "tool:write", "tool:edit, tool:write", "edit, write"))
    text = _file(f"condition: {_quoted(condition)}", f"scope: {scope}")
    codes = ("path-in-content", "end-sensitive-condition")
    return Defect("path in a condition", "", text, codes, "condition:")


def _thinking(rule: Sound, chance: random.Random) -> Defect:
    lines = [f"description: {_quoted(chance.choice(_ABOUT_THINKING))}", "condition: 'good enough for now'"]
    if chance.random() < 0.4:
        lines.append("scope: text")
    return Defect("description about thinking", "", _file(*lines), ("thinking-not-in-scope",), "")


def _ast(rule: Sound, chance: random.Random) -> Defect | None:
    if rule.ast is None:
        return None
    call = rule.ast.partition("(")[0]
    slips = [f"{call}(...)", f"{call}($...ARGS)", f"{call}(*)", f"{call}(…)", f"{call}(%ARGS)", f"pattern: {rule.ast}"]
    if rule.extension != "php":
        slips.append(f"{call}($$ARGS)")
    if rule.extension in ("ts", "js", "java", "rs"):
        slips.append(f"{rule.ast};")
    if rule.extension in ("ts", "js"):
        slips += [f"{rule.ast},", f"{rule.ast} // no", f"`{rule.ast}`", rule.condition + r".*\)"]
    slip = chance.choice(slips)
    text = _file(f"astCondition: {_quoted(slip)}", f"scope: {', '.join(rule.scope)}")
    codes = (
        "ast-foreign-syntax",
        "ast-trailing-code",
        "ast-several-nodes",
        "ast-does-not-parse",
        "ast-small-metavariable",
    )
    return Defect("AST pattern", "", text, codes, "astCondition")


_TOLD = (
    (".github/instructions/r.instructions.md", "applyTo"), (".cursor/rules/r.mdc", "globs"),
    (".clinerules/r.md", "paths"), (".claude/rules/r.md", "paths"), (".windsurf/rules/r.md", "globs"),
)  # fmt: skip


def _guidance(rule: Sound, chance: random.Random) -> Defect | None:
    path, key = chance.choice(_TOLD)
    glob = f"**/*.{rule.extension}"
    lines = [f"{key}: '{glob}'"]
    if "windsurf" in path:
        lines = ["trigger: glob", *lines]
    slip = chance.choice(("quote", "blank line", "other key", "empty body", "unclosed", "no key", "place", "trigger"))
    if slip == "quote":
        return Defect("guidance: quote", path, _file(*lines[:-1], f"{key}: '{glob}"), ("yaml-degraded",), f"{key}: '")
    if slip == "blank line":
        text = chance.choice(("\n", " ", "\n\n", "\r\n")) + _file(*lines)
        return Defect("guidance: blank line", path, text, ("frontmatter-not-recognised",), "")
    if slip == "other key":
        other = chance.choice(
            [item for item in ("glob", "filePatterns", "applies_to", "path_pattern", "files") if item != key]
        )
        if other == "path_pattern":
            other = "file_patterns"
        return Defect("guidance: other key", path, _file(*lines[:-1], f"{other}: '{glob}'"), ("unknown-key",), other)
    if slip == "empty body":
        return Defect("guidance: empty body", path, _file(*lines, body=""), ("empty-body",), "---")
    if slip == "unclosed":
        text = "\n".join(("---", *lines, _BODY, ""))
        return Defect("guidance: unclosed", path, text, ("frontmatter-not-recognised",), "---")
    return _inactive_guidance(slip, path, key, lines)


def _inactive_guidance(slip: str, path: str, key: str, lines: list[str]) -> Defect | None:
    if slip == "no key" and key == "applyTo":
        return Defect("guidance: no applyTo", path, _file("name: Rules"), ("never-in-prompt",), "---")
    if slip == "no key" and key == "paths":
        return Defect("guidance: empty paths", path, _file("paths:"), ("empty-value",), "paths")
    if slip == "trigger" and "windsurf" in path:
        return Defect("guidance: no trigger", path, _file(*lines[1:]), ("never-in-prompt",), key)
    if slip == "place":
        misplaced = {
            "applyTo": ".github/instructions/r.md", "globs": ".cursor/rule/r.mdc", "paths": ".claude/rule/r.md",
        }  # fmt: skip
        return Defect("guidance: place", misplaced[key], _file(f"{key}: '*.x'"), ("not-discovered",), "---")
    return None


def _pi(rule: Sound, chance: random.Random) -> Defect:
    trigger = f"trigger: {_quoted(rule.condition)}"
    slip = chance.choice(("body", "number", "blank line"))
    if slip == "body":
        return Defect("pi: empty body", ".pi/rules/r.md", _file(trigger, body=""), ("empty-body",), "---")
    if slip == "number":
        text = _file(trigger, f'maxFirings: "{chance.randint(2, 9)}"')
        return Defect("pi: quoted number", ".pi/rules/r.md", text, ("pi-not-a-number",), "maxFirings")
    return Defect("pi: blank line", ".pi/rules/r.md", "\n" + _file(trigger), ("frontmatter-not-recognised",), "")


KINDS: tuple[Callable[[Sound, random.Random], Defect | None], ...] = (
    _empty_key, _tight_list, _items_in_block, _folded, _negated, _capitals, _prefix, _tool_name, _path_condition,
    _thinking, _ast, _guidance, _pi,
)  # fmt: skip


def sound_files() -> Iterator[str]:
    """The files without a defect."""
    for rule in SOUND:
        yield _file(*_sound_lines(rule))
        if rule.ast is not None and rule.extension != "go":
            yield _file(f"astCondition: {_quoted(rule.ast)}", f"scope: {', '.join(rule.scope)}")


def generated(count: int, seed: int) -> Iterator[Defect]:
    """So many different files with a defect; the same for a seed."""
    chance = random.Random(seed)
    seen = set[tuple[str, str]]()
    while len(seen) < count:
        defect = chance.choice(KINDS)(chance.choice(SOUND), chance)
        if defect is None:
            continue
        defect = replace(defect, path=defect.path or ".omp/rules/r.md")
        if (defect.path, defect.text) not in seen:
            seen.add((defect.path, defect.text))
            yield defect
