"""Rules of hookify that do not do what they say, and the same rules after the advice of `check` is followed.

Each is a frontmatter, with the replacements that the advice asks for, the calls of which the rule speaks, and the calls
on which it must be silent.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.recorders.hookify_rules import Call, bash, edit, stop, write


@dataclass(frozen=True)
class Advice:
    """`fires` and `silent` are the calls on which the advised rule does and does not fire."""

    name: str
    frontmatter: str
    replacements: tuple[tuple[str, str], ...]
    fires: tuple[Call, ...]
    silent: tuple[Call, ...]
    codes: tuple[str, ...] = ("hookify-never-matches",)
    says: str = ""
    """What the finding names."""

    @property
    def advised(self) -> str:
        """The frontmatter after the replacements."""
        text = self.frontmatter
        for before, after in self.replacements:
            assert before in text, (self.name, before)
            text = text.replace(before, after)
        return text


def call(tool: str, **inputs: object) -> Call:
    return {"tool_name": tool, "tool_input": inputs}


def conditions(*items: tuple[str, str, str]) -> str:
    lines = (
        f"  - field: {field}\n    operator: {operator}\n    pattern: {pattern}\n" for field, operator, pattern in items
    )
    return "conditions:\n" + "".join(lines)


def simple(pattern: str, event: str = "file") -> str:
    return f"event: {event}\npattern: {pattern}\n"


def on_path(pattern: str) -> str:
    """What to write in place of a `pattern` that is a path."""
    return conditions(("file_path", "regex_match", pattern))


_QUERY = call("mcp__supabase-main__execute_sql", query="SELECT * FROM a")
_NARROW = call("mcp__supabase-main__execute_sql", query="SELECT id FROM a")
_SHOT = call("mcp__playwright__browser_take_screenshot", fullPage=True)
_SMALL_SHOT = call("mcp__playwright__browser_take_screenshot", fullPage=False)
_MISSES = ("hookify-misses-calls",)

ADVICE = (
    Advice(
        "glob in tool_matcher",
        "event: PreToolUse\ntool_matcher: mcp__supabase-*__execute_sql\n"
        + conditions(("query", "contains", "SELECT *")),
        (("mcp__supabase-*__execute_sql", "mcp__supabase-main__execute_sql"),),
        (_QUERY,),
        (_NARROW,),
    ),
    Advice(
        "regular expression for every tool",
        "event: all\ntool_matcher: .*\n" + conditions(("query", "contains", "SELECT *")),
        ((".*", "*"),),
        (_QUERY,),
        (_NARROW,),
    ),
    Advice(
        "name of a tool in small letters",
        "tool_matcher: bash\n" + simple("rm -rf", "bash"),
        (("tool_matcher: bash", "tool_matcher: Bash"),),
        (bash("rm -rf x"),),
        (bash("ls"),),
    ),
    Advice(
        "boolean in small letters",
        "event: PreToolUse\ntool_matcher: mcp__playwright__browser_take_screenshot\n"
        + conditions(("fullPage", "equals", "true")),
        (("pattern: true", "pattern: True"),),
        (_SHOT,),
        (_SMALL_SHOT,),
    ),
    Advice(
        "unknown event and a tool with an event",
        "event: PreToolUse\ntool_matcher: Bash\n" + conditions(("command", "contains", "rm -rf")),
        (("PreToolUse", "bash"),),
        (bash("rm -rf x"),),
        (bash("ls"),),
    ),
    Advice(
        "unknown event and tools with and without an event",
        "event: PreToolUse\ntool_matcher: Bash|PowerShell\n" + conditions(("command", "contains", "rm -rf")),
        (("PreToolUse", "bash"),),
        (bash("rm -rf x"), call("PowerShell", command="rm -rf x")),
        (bash("ls"),),
        _MISSES,
    ),
    Advice(
        "unknown event and a field of other tools",
        "event: PreToolUse\n" + conditions(("file_path", "ends_with", ".env")),
        (("PreToolUse", "file"),),
        (write("/p/.env", "A=1"), edit("/p/.env", "A=1"), call("Read", file_path="/p/.env")),
        (write("/p/a", "A=1"),),
        _MISSES,
    ),
    Advice(
        "combinator",
        "event: bash\nconditions:\n  combinator: or\n  conditions:\n"
        "    - field: command\n      operator: contains\n      pattern: rm -rf\n"
        "    - field: command\n      operator: contains\n      pattern: mkfs\n",
        (
            ("  combinator: or\n  conditions:\n", ""),
            ("    - field: command\n      operator: contains\n      pattern: mkfs\n", ""),
        ),
        (bash("rm -rf x"),),
        (bash("ls"),),
        ("hookify-skipped-line",),
    ),
    Advice(
        "unknown operator without a pattern",
        "event: all\ntool_matcher: mcp__n8n__executions\nconditions:\n  - field: mode\n    operator: not_exists\n",
        (("not_exists\n", "equals\n    pattern: full\n"),),
        (call("mcp__n8n__executions", mode="full"),),
        (call("mcp__n8n__executions", mode="summary"),),
    ),
    *(
        Advice(
            f"path: {pattern}",
            simple(pattern),
            ((f"pattern: {pattern}\n", on_path(pattern)),),
            (write(path, "x"), edit(path, "x")),
            (write("/p/src/other.js", "x"),),
            _MISSES,
            "`file_path`",
        )
        for pattern, path in (
            (r"src/app/api/.*\.(ts|tsx)", "/p/src/app/api/auth/route.ts"),
            (r"prisma/schema\.prisma", "/p/prisma/schema.prisma"),
            ("archive/old_bots/", "/p/archive/old_bots/a.py"),
            (r"(PLAN|ROADMAP|STRATEGY)\.md", "/p/docs/PLAN.md"),
            (r"CHANGELOG\.md$", "/p/CHANGELOG.md"),
            (r".*/scripts/[^/]+\.js$", "/p/scripts/a.js"),
            (r"\.(old|bak)$|_(backup|old)\.|_old$|\.backup\.", "/p/src/a_old.py"),
            (r"(sources\.jsonl|citations\.py|writer\.py)", "/p/src/sources.jsonl"),
            (r"docker-compose\.ya?ml", "/p/docker-compose.yml"),
            (r"\.env(\..*)?$", "/p/.env.local"),
            (r"\.pem$|\.key$|id_rsa", "/p/id_rsa"),
            (r"src[\\/]app[\\/].*\.tsx$", "/p/src/app/a.tsx"),
            (r"apps/[^/]+/migrations/", "/p/apps/a/migrations/1.py"),
            (r"_test\.go$", "/p/a_test.go"),
            ("Dockerfile", "/p/Dockerfile"),
            ("prisma/migrations", "/p/prisma/migrations/1.sql"),
        )
    ),
    Advice(
        "path in the field for text",
        "event: file\n" + conditions(("content", "regex_match", r"package\.json$")),
        (("content", "file_path"),),
        (write("/p/package.json", "x"), edit("/p/package.json", "x")),
        (write("/p/a.js", "x"),),
        _MISSES,
        "`file_path`",
    ),
    Advice(
        "path and text in one pattern",
        simple(r".*\.(py|tsx?)$.*?(mock|Mock)"),
        (
            (
                "pattern: .*\\.(py|tsx?)$.*?(mock|Mock)\n",
                conditions(("file_path", "regex_match", r"\.(py|tsx?)$"), ("content", "regex_match", "mock")),
            ),
        ),
        (write("/p/a.py", "x = mock"), edit("/p/a.tsx", "Mock()")),
        (write("/p/a.md", "mock"),),
        says="`$` is the end of the text",
    ),
    Advice(
        "absence from the new text",
        "event: file\n" + conditions(("file_path", "contains", "/src/"), ("new_text", "not_contains", "LICENSED")),
        (("new_text", "content"),),
        (write("/p/src/a", "x"), edit("/p/src/a", "x")),
        (write("/p/src/a", "LICENSED"), edit("/p/src/a", "LICENSED")),
        _MISSES,
    ),
    Advice(
        "absence from the new text by a lookahead",
        "event: file\n" + conditions(("new_text", "regex_match", r"\A(?![\s\S]*LICENSED)")),
        (("new_text", "content"),),
        (write("/p/src/a", "x"), edit("/p/src/a", "x")),
        (write("/p/src/a", "LICENSED"), edit("/p/src/a", "LICENSED")),
        _MISSES,
    ),
    Advice(
        "block at every stop",
        "event: stop\naction: block\n" + conditions(("reason", "regex_match", ".*")),
        (("reason", "transcript"), ("regex_match", "not_contains"), (".*", "pytest")),
        (stop("nothing ran"),),
        (stop("pytest ran"),),
        ("matches-everything",),
    ),
    Advice(
        "two slashes in a row",
        "event: file\n" + conditions(("file_path", "regex_match", r"(ui/|src-tauri/src/)/.*\.(ts|rs)$")),
        (("/)/.*", "/).*"),),
        (write("/p/ui/a.ts", "x"), edit("/p/src-tauri/src/b/c.rs", "x")),
        (write("/p/lib/a.ts", "x"),),
    ),
    Advice(
        "two backslashes in a row",
        "event: file\n" + conditions(("file_path", "regex_match", r"^C:\\\\Users\\\\bob\\\\[^\\/]+\.md$")),
        ((r"\\\\", r"[\\/]"),),
        (write("C:\\Users\\bob\\a.md", "x"), write("C:/Users/bob/a.md", "x")),
        (write("C:\\Users\\bob\\src\\a.md", "x"),),
        ("doubled-backslash",),
    ),
)
